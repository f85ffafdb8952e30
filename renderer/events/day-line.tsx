import { formatDayName } from '../format/moments.ts';
import { useNow } from '../services.ts';
import styles from './event-log.module.css';

interface DayProps {
  readonly at: number;
  readonly isFirst: boolean;
}

/** Heading of a day, with the day's name. */
export function DayWords({ at, isFirst }: DayProps) {
  const words = useNow((now) => formatDayName(at, now));
  // "Today" is omitted at the top of the log, where it is obvious.
  if (isFirst && words === 'Today') return null;
  return <p className={styles.day}>{words}</p>;
}
