import { formatClockTime, formatMoment } from '../format/moments.ts';

/** Time of day in a column as wide as every other one; the tip has the date. */
export const ClockTime = ({ at }: { readonly at: number }) => (
  <time
    className="flex-none w-58 text-12 font-normal text-faint"
    dateTime={new Date(at).toISOString()}
    data-tip={formatMoment(at)}
  >
    {formatClockTime(at)}
  </time>
);
