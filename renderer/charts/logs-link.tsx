import { formatInstant } from '../format/moments.ts';
import { useView } from '../services.ts';
import { isWithin } from './chart-cursor.ts';
import type { TimeWindow } from './downsample.ts';
import styles from './span-bar.module.css';

/** Returns the address of the log lines at a moment. */
export type LogsAt = (at: number) => string;

interface LogsLinkProps {
  readonly window: TimeWindow;
  readonly logsAt: LogsAt;
}

/** Link from the pinned cursor to the log at its moment. */
export function LogsLink({ window, logsAt }: LogsLinkProps) {
  const at = useView((state) => state.pinnedAt);
  if (at === undefined || !isWithin(at, window)) return null;
  return (
    <a className={styles.logs} href={logsAt(Math.round(at))}>
      Logs at {formatInstant(at, window.to - window.from)}
    </a>
  );
}
