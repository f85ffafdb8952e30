import { BYTES_PER_MIB } from '../../shared/units.ts';
import type { EventDetail } from '../../shared/events.ts';
import type { Trend } from '../../shared/trend.ts';
import { formatDate } from './moments.ts';

/** Sign for an unknown value. Unknown values are never shown as 0, because a zero is a measurement. */
export const MISSING = '–';

/** Tooltips that explain the figures of a process tree. */
export const figureMeanings = {
  memory: 'Private memory of all its processes, plus shared memory counted once',
  cpu: 'Of one core: four busy cores are 400 %',
} as const;

export const restartsMeaning =
  'Crashes, stalls and exceeded limits of the last 24 hours, including earlier starts of the panel';

const THIN_SPACE = '\u2009';
const FIRST_GROUPED_COUNT = 10_000;

/** Memory with three significant digits: `9.54 MiB`, `182 MiB`, `1.20 GiB`. */
export function formatMemory(bytes: number | undefined): string {
  if (!isMeasured(bytes)) return MISSING;
  const mib = bytes / BYTES_PER_MIB;
  // The unit changes at 1000 MiB rather than 1024, because a fourth digit would not fit the fixed width.
  return mib < 999.5 ? `${threeDigits(mib)} MiB` : `${threeDigits(mib / 1024)} GiB`;
}

/** Amount of data with three significant digits, in KiB below 1 MiB, because messages are short: `4.20 KiB`, `1.40 MiB`. */
export function formatData(bytes: number): string {
  const kib = bytes / 1024;
  if (bytes < 1024) return `${formatCount(bytes)} B`;
  return kib < 999.5 ? `${threeDigits(kib)} KiB` : formatMemory(bytes);
}

/** CPU in percent of one core, with one decimal below 10 and none from 10 on. */
export function formatCpu(percent: number | undefined): string {
  if (!isMeasured(percent)) return MISSING;
  return `${percent < 9.95 ? percent.toFixed(1) : formatCount(Math.round(percent))} %`;
}

/** Whole number, with thin spaces between groups of three digits from 10 000 on. */
export function formatCount(count: number | undefined): string {
  if (!isMeasured(count)) return MISSING;
  const digits = String(Math.round(count));
  return count < FIRST_GROUPED_COUNT ? digits : digits.replace(/\B(?=(\d{3})+$)/g, THIN_SPACE);
}

/** Number with its noun: `1 call`, `2 calls`. */
export function formatPlural(count: number, noun: string, plural = `${noun}s`): string {
  return `${formatCount(count)} ${count === 1 ? noun : plural}`;
}

/** Removes trailing zeros of decimals: `1.50 GiB` becomes `1.5 GiB`. */
export function trimZeros(figure: string): string {
  return figure.replace(/\.(\d*?)0+(?=\D|$)/, (_, kept: string) => (kept === '' ? '' : `.${kept}`));
}

function isMeasured(value: number | undefined): value is number {
  return value !== undefined && Number.isFinite(value) && value >= 0;
}

function threeDigits(value: number): string {
  if (value === 0) return '0';
  if (value < 9.995) return value.toFixed(2);
  return value < 99.95 ? value.toFixed(1) : formatCount(Math.round(value));
}

/** Round-trip time: `4.2 ms`, `120 ms`. */
export function formatRoundTrip(ms: number | undefined): string {
  if (ms === undefined) return MISSING;
  return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;
}

/** Share of failed calls from which the failures are marked as a problem. */
const MANY_FAILURES = 0.1;
export const failsOften = ({ calls, errors }: { readonly calls: number; readonly errors: number }): boolean =>
  calls > 0 && errors / calls >= MANY_FAILURES;
const withAnd = new Intl.ListFormat('en-GB', { type: 'conjunction' });

/** Joins words to a list: "a, b and c"; empty for no words. */
export const listWords = (words: readonly string[]): string => withAnd.format(words);

/** Growth factor from which a change is shown as a factor rather than in percent. */
const MANY_TIMES = 3;

/** Change compared with the previous period: `▲ 18 %`, `▼ 5 %`, `▲ 6×`; undefined if the previous value is unknown. */
export function changeWords(now: number, before: number | undefined): string | undefined {
  if (before === undefined) return undefined;
  if (before === 0) return now === 0 ? '=' : 'new';
  const factor = now / before;
  if (factor >= MANY_TIMES) return `▲ ${formatCount(factor)}×`;
  const change = Math.round((factor - 1) * 100);
  return change === 0 ? '=' : `${change > 0 ? '▲' : '▼'} ${Math.abs(change)} %`;
}

const dates = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });

type ToldTrend = EventDetail<'trend'> & Pick<Trend, 'perDayBytes'>;

/** Trend as text: `+90 MiB a day since 17 Nov, limit on 25 Nov (24–27 Nov)`. An uncertain trend starts with `likely`. */
export function trendWords({ perDayBytes, since, confidence, ...limit }: ToldTrend): string {
  const pace = `${confidence === 'likely' ? 'likely ' : ''}+${paceWords(perDayBytes)} a day`;
  return [since === undefined ? pace : `${pace} since ${formatDate(since)}`, ...limitWords(limit)].join(', ');
}

/** Short text of the trend for a row of the list: the growth per day and the day on which the limit is reached. */
export function trendBrief({ perDayBytes, limitAt, limitBytes }: ToldTrend): string {
  const limit =
    limitAt !== undefined ? `limit ${dates.format(limitAt)}` : limitBytes !== undefined && 'at its limit';
  return [`+${paceWords(perDayBytes)} a day`, limit].filter(Boolean).join(', ');
}

/** Growth in whole MiB from 10 MiB on, because a tenth of a MiB is less than the uncertainty of the value. */
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

/** Text for the hour in which a restart would cut off the fewest calls: `03:00, nobody called then on 28 of 30 days`. */
export const bestHourWords = ({ hour, quietDays, days }: NonNullable<Trend['bestHour']>): string =>
  `${String(hour).padStart(2, '0')}:00, nobody called then on ${quietDays} of ${formatPlural(days, 'day')}`;
