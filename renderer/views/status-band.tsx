import { useMemo } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { shownMark } from '../../shared/server-states.ts';
import { calmSince, calmWords, restartWords } from '../format/calm.ts';
import { summarizeServers } from '../format/summary.ts';
import { UsageTiles } from '../overview/usage-tiles.tsx';
import { useNow, usePanel } from '../services.ts';
import { StateShape } from '../ui/state-shape.tsx';
import { AbsenceNote } from './absence-note.tsx';
import styles from './status-band.module.css';

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

/** Since when nothing was wrong. */
function Calm() {
  const events = usePanel((state) => state.events);
  const calm = useMemo(() => calmSince(events), [events]);
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
