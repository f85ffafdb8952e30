import { useMemo } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { shownMark } from '../../shared/server-states.ts';
import {
  calmWords,
  lastTrouble,
  restartWords,
  troubleKinds,
  type Calm as CalmSince,
} from '../format/calm.ts';
import { summarizeServers } from '../format/summary.ts';
import { UsageTiles } from '../overview/usage-tiles.tsx';
import { usePast } from '../charts/use-past.ts';
import type { PanelEvent } from '../../shared/domain.ts';
import { useNow, usePanel, useServices } from '../services.ts';
import { StateShape } from '../ui/state-shape.tsx';
import { AbsenceNote } from './absence-note.tsx';
import styles from './status-band.module.css';

/** Troubles that are asked for: of the newest, some may be what came of a restart that somebody asked for. */
const TROUBLES_ASKED = 20;

/** Head of the overview: is everything all right, what is wrong or since when nothing is, and what it all costs. */
export function StatusBand() {
  const hasServers = usePanel((state) => state.names.length > 0);
  return (
    <header className={hasServers ? styles.band : styles.bare}>
      <Verdict hasServers={hasServers} />
      {hasServers && <UsageTiles />}
    </header>
  );
}

function Verdict({ hasServers }: { readonly hasServers: boolean }) {
  const kinds = usePanel(useShallow(({ servers }) => [...servers.values()].map(shownMark)));
  const { shape, words, rest, isTroubled } = useMemo(() => summarizeServers(kinds), [kinds]);
  return (
    <div className={styles.verdict}>
      {/* A screen reader is told when the verdict changes; the lines below change every second. */}
      <div className={styles.line} role="status">
        {shape !== undefined && <StateShape kind={shape} size={20} />}
        <h1 className={styles.words}>{words}</h1>
      </div>
      {/* The cards below the band tell what is wrong. */}
      {isTroubled && rest !== '' && <p className={styles.rest}>{rest}</p>}
      {hasServers && !isTroubled && <Calm />}
      <AbsenceNote />
    </div>
  );
}

/** Since when nothing was wrong: by the events that are here, else by the history of all launches. */
function useCalm(events: readonly PanelEvent[]): CalmSince | undefined {
  const { past } = useServices();
  const here = useMemo(() => lastTrouble(events), [events]);
  const first = events[0]?.at;
  const question = useMemo(
    () =>
      here === undefined && first !== undefined
        ? { from: 0, to: first, kinds: [...troubleKinds], limit: TROUBLES_ASKED }
        : undefined,
    [here, first],
  );
  const { reply } = usePast(past.events, question, '');
  const before = useMemo(() => reply && lastTrouble(reply.events), [reply]);
  return here ?? before ?? (reply && first !== undefined ? { since: first } : undefined);
}

/** Since when nothing was wrong. */
function Calm() {
  const events = usePanel((state) => state.events);
  const calm = useCalm(events);
  const since = useNow((now) => (calm === undefined ? '' : calmWords(calm, now)));
  const restarts = useNow((now) => restartWords(events, now));
  return (
    <>
      {since !== '' && (
        <p className={styles.why} data-tip={since} data-tip-if-cut>
          {since}
        </p>
      )}
      <p className={styles.rest}>{restarts}</p>
    </>
  );
}
