import { formatInstant } from '../format/moments.ts';
import { useView } from '../services.ts';
import { isWithin } from './chart-cursor.ts';
import type { TimeWindow } from './downsample.ts';
import styles from './span-bar.module.css';

/** Address of the lines of a moment. */
export type LogsAt = (at: number) => string;

interface LogsLinkProps {
  readonly window: TimeWindow;
  readonly logsAt: LogsAt;
}

/** Way from the pinned cursor to what was logged at its moment. */
export function LogsLink({ window, logsAt }: LogsLinkProps) {
  const at = useView((state) => state.pinnedAt);
  if (at === undefined || !isWithin(at, window)) return null;
  return (
    <a className={styles.logs} href={logsAt(Math.round(at))}>
      Logs at {formatInstant(at, window.to - window.from)}
    </a>
  );
}
