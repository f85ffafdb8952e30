import type { EventDetail } from '../../shared/events.ts';
import type { Trend } from '../../shared/trend.ts';
import { formatMemory, formatPlural, trimZeros } from './figures.ts';
import { formatDate } from './moments.ts';

const dates = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });

type ToldTrend = EventDetail<'trend'> & Pick<Trend, 'perDayBytes'>;

/** Trend in words: `+90 MiB a day since 17 Nov, limit on 25 Nov (24–27 Nov)`; `likely` in front of one that is not clear yet. */
export function trendWords({ perDayBytes, since, confidence, ...limit }: ToldTrend): string {
  const pace = `${confidence === 'likely' ? 'likely ' : ''}+${trimZeros(formatMemory(perDayBytes))} a day`;
  return [since === undefined ? pace : `${pace} since ${formatDate(since)}`, ...limitWords(limit)].join(', ');
}

function limitWords({
  limitBytes,
  limitAt,
  limitFrom = limitAt,
  limitTo = limitAt,
}: EventDetail<'trend'>): readonly string[] {
  if (limitAt === undefined || limitFrom === undefined || limitTo === undefined)
    return limitBytes === undefined ? [] : ['at its limit'];
  const [on, range] = [formatDate(limitAt), dates.formatRange(limitFrom, limitTo)];
  return [`limit on ${on}${range === on ? '' : ` (${range})`}`];
}

/** Hour in which a restart would cut off the fewest calls: `03:00, nobody called then on 28 of 30 days`. */
export const bestHourWords = ({ hour, quietDays, days }: NonNullable<Trend['bestHour']>): string =>
  `${String(hour).padStart(2, '0')}:00, nobody called then on ${quietDays} of ${formatPlural(days, 'day')}`;
