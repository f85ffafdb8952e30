import { useMemo } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { shownState } from '../../shared/server-states.ts';
import { StateShape } from '../ui/state-shape.tsx';
import { summarizeServers } from '../format/summary.ts';
import { usePanel } from '../services.ts';
import styles from './summary-line.module.css';

/** Summary of all servers: "All 7 fine", or what is not. A screen reader is told when it changes. */
export function SummaryLine() {
  const kinds = usePanel(useShallow(({ servers }) => Object.values(servers).map(shownState)));
  const { shape, words, rest } = useMemo(() => summarizeServers(kinds), [kinds]);
  return (
    <div className={styles.line} role="status">
      {shape !== undefined && <StateShape kind={shape} size={16} />}
      <h1 className={styles.words}>{words}</h1>
      {rest !== '' && <span className={styles.rest}>{rest}</span>}
    </div>
  );
}
