import { formatClockTime, formatMoment, formatDayName } from '../format/moments.ts';
import { useNow } from '../services.ts';

/** Time of day in a column of fixed width; the tooltip has the date. */
export const ClockTime = ({ at }: { readonly at: number }) => (
  <time
    className="flex-none w-58 text-12 font-normal text-faint"
    dateTime={new Date(at).toISOString()}
    data-tip={formatMoment(at)}
  >
    {formatClockTime(at)}
  </time>
);

interface DayProps {
  readonly at: number;
  /** True if "Today" is left out, because it is obvious and takes up space. */
  readonly isShort: boolean;
}

/** Heading of a day in the log, with the name of the day. */
export function DayWords({ at, isShort }: DayProps) {
  const words = useNow((now) => formatDayName(at, now));
  if (isShort && words === 'Today') return null;
  return <p className="px-16 pt-8 pb-2 text-12 text-faint">{words}</p>;
}
