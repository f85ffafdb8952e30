import { formatDayName } from '../format/moments.ts';
import { useNow } from '../services.ts';

interface DayProps {
  readonly at: number;
  /** Whether "Today" is left out, because it is obvious and takes room. */
  readonly isShort: boolean;
}

/** Heading of a day, with the day's name. */
export function DayWords({ at, isShort }: DayProps) {
  const words = useNow((now) => formatDayName(at, now));
  if (isShort && words === 'Today') return null;
  return <p className="px-16 pt-8 pb-2 text-12 text-faint">{words}</p>;
}
