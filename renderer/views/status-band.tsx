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
import { UsageFigures, UsageTiles } from '../overview/usage-tiles.tsx';
import type { Folds } from './folds.ts';
import { usePast } from '../charts/use-past.ts';
import type { PanelEvent } from '../../shared/domain.ts';
import { useNow, usePanel, useServices, useView } from '../services.ts';
import { StateShape } from '../ui/state-shape.tsx';
import styles from './status-band.module.css';
import { describeAbsence } from '../format/absence-words.ts';
import { hrefOf } from '../store/route-store.ts';

/** Maximum ends requested from the history, because the newest ones may belong to a restart by the user. */
const TROUBLES_ASKED = 20;

/** Head of the overview: the verdict, what is wrong or since when all is well, and the resource use as tiles or in one line. */
export function StatusBand({ look }: { readonly look: Folds['head'] }) {
  const hasServers = usePanel((state) => state.names.length > 0);
  if (look === 'line' && hasServers)
    return (
      <header className={styles.low}>
        <VerdictLine />
        <AbsenceNote />
        <UsageFigures />
      </header>
    );
  return (
    <header className={hasServers ? styles.band : styles.bare}>
      <Verdict hasServers={hasServers} />
      {hasServers && <UsageTiles />}
    </header>
  );
}

/** Verdict, and what stands beside it, in one line. */
function VerdictLine() {
  const { shape, words, rest } = useVerdict();
  return (
    <div className={styles.line} role="status">
      {shape !== undefined && <StateShape kind={shape} />}
      <h1 className={styles.words}>{words}</h1>
      {rest !== '' && <span className={styles.rest}>{rest}</span>}
    </div>
  );
}

function useVerdict() {
  const kinds = usePanel(useShallow(({ servers }) => [...servers.values()].map(shownMark)));
  return useMemo(() => summarizeServers(kinds), [kinds]);
}

function Verdict({ hasServers }: { readonly hasServers: boolean }) {
  const { shape, words, rest, isTroubled } = useVerdict();
  return (
    <div className={styles.verdict}>
      {/* Screen readers announce a change of the verdict; the lines below change every second. */}
      <div className={styles.line} role="status">
        {shape !== undefined && <StateShape kind={shape} size={20} />}
        <h1 className={styles.words}>{words}</h1>
      </div>
      {/* The cards below the band show what is wrong. */}
      {isTroubled && rest !== '' && <p className={styles.rest}>{rest}</p>}
      {/* A server that was in trouble today is no calm, although it runs now. */}
      {hasServers && !isTroubled && shape !== 'unstable' && <Calm />}
      <AbsenceNote />
    </div>
  );
}

/** Time since when nothing was wrong, from the loaded events, else from the history of all app runs. */
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

/** Text on the time since when nothing was wrong. */
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

/** Note on what happened while the app window was not looked at. It leads to the events and disappears once followed. */
function AbsenceNote() {
  const { view } = useServices();
  const since = useView((state) => state.awaySince);
  const words = usePanel((state) => (since === undefined ? '' : describeAbsence(state.events, since)));
  if (words === '') return null;
  return (
    <a
      className={styles.absence}
      href={hrefOf({ view: 'activity' })}
      onClick={() => view.setState({ awaySince: undefined })}
    >
      Since you last looked: {words}
    </a>
  );
}
