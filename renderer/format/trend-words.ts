import type { EventDetail } from '../../shared/events.ts';
import type { Trend } from '../../shared/trend.ts';
import { BYTES_PER_MIB } from '../../shared/units.ts';
import { formatMemory, formatPlural, trimZeros } from './figures.ts';
import { formatDate } from './moments.ts';

const dates = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });

type ToldTrend = EventDetail<'trend'> & Pick<Trend, 'perDayBytes'>;

/** Trend in words: `+90 MiB a day since 17 Nov, limit on 25 Nov (24–27 Nov)`; `likely` in front of one that is not clear yet. */
export function trendWords({ perDayBytes, since, confidence, ...limit }: ToldTrend): string {
  const pace = `${confidence === 'likely' ? 'likely ' : ''}+${paceWords(perDayBytes)} a day`;
  return [since === undefined ? pace : `${pace} since ${formatDate(since)}`, ...limitWords(limit)].join(', ');
}

/** The trend in few words, for a row of the list: its pace and the day of the limit. */
export function trendBrief({ perDayBytes, limitAt, limitBytes }: ToldTrend): string {
  const limit =
    limitAt !== undefined ? `limit ${dates.format(limitAt)}` : limitBytes !== undefined && 'at its limit';
  return [`+${paceWords(perDayBytes)} a day`, limit].filter(Boolean).join(', ');
}

/** A growth in whole MiB, because a tenth of one is less than how sure it is. */
const paceWords = (bytes: number): string =>
  trimZeros(
    formatMemory(bytes < 10 * BYTES_PER_MIB ? bytes : Math.round(bytes / BYTES_PER_MIB) * BYTES_PER_MIB),
  );

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
