import type { Trend } from '../../../shared/trend.ts';

const HOURS = 24;
/**
 * Minimum number of days on which the server ran in an hour of the day, and the minimum share of those days on which it was not
 * called in that hour (quiet days).
 */
const LEAST_DAYS = 7;
const LEAST_QUIET_PART = 0.8;

/**
 * Returns the hour of the day in which a restart would interrupt the fewest calls: the hour with the largest share of quiet
 * days (days without calls in that hour). The two hours next to it also count, with less weight. Undefined if no hour is quiet
 * enough.
 * @param ran start of each hour in which the server ran
 * @param called starts of the hours among `ran` in which the server was called
 */
export function bestHour(
  ran: readonly number[],
  called: ReadonlySet<number>,
  hourOf: (at: number) => number,
): Trend['bestHour'] {
  const hours = Array.from({ length: HOURS }, (_, hour) => ({ hour, quietDays: 0, days: 0 }));
  for (const at of ran) {
    const of = hours[hourOf(at)]!;
    of.days += 1;
    if (!called.has(at)) of.quietDays += 1;
  }
  const partAt = (hour: number): number => {
    const { quietDays, days } = hours[(hour + HOURS) % HOURS]!;
    return days === 0 ? 0 : quietDays / days;
  };
  const restOf = (hour: number): number => partAt(hour) + (partAt(hour - 1) + partAt(hour + 1)) / 4;
  const most = Math.max(...hours.map(({ days }) => days));
  return hours
    .filter(({ hour, days }) => days >= Math.max(LEAST_DAYS, most / 2) && partAt(hour) >= LEAST_QUIET_PART)
    .sort((one, other) => restOf(other.hour) - restOf(one.hour))[0];
}
