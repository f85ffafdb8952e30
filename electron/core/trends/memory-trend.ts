import type { Trend } from '../../../shared/trend.ts';
import { fitLine, median, slopeOf, type Day, type FittedLine } from './line.ts';
import { DAY_MS } from '../../../shared/units.ts';
/** Minimum number of days, which must span about four days. With fewer days, a line cannot be distinguished from a curve. */
const LEAST_DAYS = 5;
const LEAST_SPAN_MS = 3.9 * DAY_MS;
/** Longest gap in ms between two days of a rise. */
const MAX_GAP_MS = 2.5 * DAY_MS;
/** Minimum rise, in bytes and as a fraction of the median memory; a smaller rise is not worth reporting. */
const LEAST_RISE_BYTES = 16 * 1024 ** 2;
const LEAST_RISE_PART = 0.1;
/**
 * Maximum distance of a day's lowest memory from the fitted line, as a fraction of the whole rise; smaller if there are few
 * days. Memory that rises in steps or jumps exceeds it.
 */
const STRAIGHT_PART = 0.1;
const STRAIGHT_PART_OF_FEW = 0.05;
const FEW_DAYS = 7;
/** Minimum slope of the second half of the days relative to the first. Rules out a cache that fills up, whose growth slows. */
const STEADY_PART = 0.75;
/**
 * Minimum of the median change from day to day, and maximum of the largest change, as multiples of the slope. This rules out
 * memory that rises in stairs, which does not change on most days.
 */
const TYPICAL_STEP_PART = 0.6;
const LONGEST_STEP_PART = 3;
/**
 * Minimum fraction of the rise that must be above the level of all earlier days. This rules out a periodic change, or a
 * restarted server whose memory only returns to an earlier level.
 */
const NEW_PART = 0.5;
/** A trend that takes more than this number of days to the memory limit is not reported, because there is no need to act yet. */
const HORIZON_DAYS = 90;
/** Time in ms for which a forecast is compared with reality, and its maximum error as a fraction of the predicted rise. */
const CHECKED_MS = 7 * DAY_MS;
const ERROR_PART = 0.5;
/** Fraction of the memory limit from which the limit counts as reached. */
const REACHED_PART = 0.95;
/**
 * Fraction of the daily rise that remains if nobody uses the server on weekends. It is applied to rises of up to seven days,
 * which cannot show the effect of a weekend.
 */
const WORKDAYS_PART = 5 / 7;
/**
 * A forecast is a range of days on which the limit may be reached. A range of up to this width in ms counts as narrow, even if
 * the limit is nearer than that.
 */
const NARROW_MS = 3 * DAY_MS;

/** Straight rise of the memory that continues up to the last day of `days`. */
interface Rise extends FittedLine {
  readonly since: number;
  readonly days: readonly Day[];
  readonly bytes: number;
}

/**
 * Returns, for each day, the memory trend as it would have been reported after that day; undefined for a day without a trend.
 * Once a forecast has turned out wrong, no trend is reported for that day and all later ones.
 */
export function memoryTrends(days: readonly Day[], limitBytes: number): readonly (Trend | undefined)[] {
  let forecasts: readonly Rise[] = [];
  let isRefuted = false;
  let first = 0;
  return days.map((day, index) => {
    if (isRestartAtLimit(day, days[index - 1], limitBytes)) [first, forecasts] = [index, []];
    forecasts = forecasts.filter((rise) => day.at <= rise.days.at(-1)!.at + CHECKED_MS);
    isRefuted ||= forecasts.some((rise) => !isTrue(rise, day));
    const rise = isRefuted ? undefined : riseAt(days.slice(first, index + 1), limitBytes);
    if (rise === undefined) return undefined;
    forecasts = [...forecasts, rise];
    return trendOf(rise, limitBytes);
  });
}

/**
 * Whether the memory fell because it had reached the limit and the server was restarted. The forecast was then right, and a new
 * rise starts over from this day.
 */
const isRestartAtLimit = (day: Day, before: Day | undefined, limitBytes: number): boolean =>
  before !== undefined && day.min < before.min && Math.max(day.max, before.max) >= REACHED_PART * limitBytes;

function isTrue({ days, perDay, bytes, lineAt }: Rise, { at, min }: Day): boolean {
  const risen = (perDay * (at - days.at(-1)!.at)) / DAY_MS;
  return Math.abs(min - lineAt(at)) <= ERROR_PART * risen + 2 * STRAIGHT_PART * bytes;
}

/** Returns the longest straight rise up to the last day. */
function riseAt(days: readonly Day[], limitBytes: number): Rise | undefined {
  // Each attempt uses a tenth fewer days than the one before, because the time of a fit is proportional to the square of its
  // days.
  for (let count = days.length; count >= LEAST_DAYS; count = Math.min(count - 1, Math.floor(count * 0.9))) {
    const part = days.slice(-count);
    const rise = mayRise(part) ? straightRise(part) : undefined;
    if (rise === undefined) continue;
    const first = firstOf(rise, days, days.length - count);
    const { at, min } = days.at(-1)!;
    const { at: since, min: start } = days[first]!;
    const isNew = days.slice(0, first).every((day) => day.min <= min - NEW_PART * (min - start));
    const isNear = limitBytes - rise.lineAt(at) <= HORIZON_DAYS * rise.perDay;
    return isNew && isNear ? { ...rise, since } : undefined;
  }
  return undefined;
}

/** Index of the day with which the rise begins, which may be a few days before or after the first day of the fit. */
function firstOf({ perDay, bytes, lineAt }: Rise, days: readonly Day[], fitted: number): number {
  let first = fitted;
  const isOnLine = ({ at, min }: Day) => Math.abs(min - lineAt(at)) <= STRAIGHT_PART * bytes;
  while (first > 0 && isOnLine(days[first - 1]!)) first -= 1;
  while (first < days.length - LEAST_DAYS && slopeOf(days[first]!, days[first + 1]!) < perDay / 3) first += 1;
  return first;
}

/** Cheap comparison with the line from the first to the last day, which rules out nearly all candidates. */
function mayRise(days: readonly Day[]): boolean {
  const [first, last] = [days[0]!, days.at(-1)!];
  const rise = last.min - first.min;
  if (last.at - first.at < LEAST_SPAN_MS || rise < LEAST_RISE_BYTES / 2) return false;
  return days.every(({ at, min }, index) => {
    const line = first.min + (rise * (at - first.at)) / (last.at - first.at);
    const gapMs = at - (days[index - 1]?.at ?? at);
    return Math.abs(min - line) <= 2.5 * STRAIGHT_PART * rise && gapMs <= MAX_GAP_MS;
  });
}

function straightRise(days: readonly Day[]): Rise | undefined {
  const line = fitLine(days);
  const since = days[0]!.at;
  const bytes = (line.perDay * (days.at(-1)!.at - since)) / DAY_MS;
  const level = median(days.map(({ min }) => min));
  if (bytes < Math.max(LEAST_RISE_BYTES, LEAST_RISE_PART * level)) return undefined;
  const away = (days.length > FEW_DAYS ? STRAIGHT_PART : STRAIGHT_PART_OF_FEW) * bytes;
  if (days.some(({ at, min }) => Math.abs(min - line.lineAt(at)) > away)) return undefined;
  const steps = days.slice(1).map((day, index) => slopeOf(days[index]!, day));
  const isStairs =
    median(steps) < TYPICAL_STEP_PART * line.perDay || Math.max(...steps) > LONGEST_STEP_PART * line.perDay;
  const half = days.length >> 1;
  const early = fitLine(days.slice(0, days.length - half)).perDay;
  const isSlowing = fitLine(days.slice(half)).perDay < STEADY_PART * early;
  return isStairs || isSlowing ? undefined : { ...line, since, days, bytes };
}

function trendOf({ since, days, bytes, ...line }: Rise, limitBytes: number): Trend {
  const { perDay, perDayFrom, perDayTo, lineAt } = line;
  const { at } = days.at(-1)!;
  // The limit is first reached by the peaks of a day, not by its lowest value. The peak height is the usual range within a day,
  // minus the part of that range that is due to the rise itself.
  const peak = Math.max(0, median(days.map(({ min, max }) => max - min)) - perDay);
  const left = limitBytes - lineAt(at);
  const away = STRAIGHT_PART * bytes;
  const slowest = days.length > FEW_DAYS ? perDayFrom : perDayFrom * WORKDAYS_PART;
  // The forecast is at least one day ahead, because the last day has ended without reaching the limit.
  const after = (toRise: number, pace: number): number =>
    Math.round(at + Math.max(1, toRise / pace) * DAY_MS);
  const limitAt = after(left - peak, perDay);
  const [limitFrom, limitTo] = [after(left - peak - away, perDayTo), after(left + away, slowest)];
  const isNarrow = limitTo - limitFrom <= Math.max(NARROW_MS, limitAt - at);
  return {
    perDayBytes: Math.round(perDay),
    since,
    limitBytes,
    ...(left > peak && { limitAt, limitFrom, limitTo }),
    confidence: days.length > FEW_DAYS && isNarrow ? 'clear' : 'likely',
  };
}
