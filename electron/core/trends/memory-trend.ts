import type { Trend } from '../../../shared/trend.ts';
import { fitLine, median, slopeOf, type Day, type FittedLine } from './line.ts';
import { DAY_MS } from '../../../shared/units.ts';
/** Minimum number of days, which must span about four days. With fewer days, a line cannot be distinguished from a curve. */
const LEAST_DAYS = 5;
const LEAST_SPAN_MS = 3.9 * DAY_MS;
/** Longest gap in ms between two days of a rise. */
const MAX_GAP_MS = 2.5 * DAY_MS;
/** Minimum rise, in bytes and as a part of the level; a smaller rise is not worth reporting. */
const LEAST_RISE_BYTES = 16 * 1024 ** 2;
const LEAST_RISE_PART = 0.1;
/**
 * Maximum distance of a day from the line, as a part of the rise; smaller if there are few days. Steps and jumps are further
 * away.
 */
const STRAIGHT_PART = 0.1;
const STRAIGHT_PART_OF_FEW = 0.05;
const FEW_DAYS = 7;
/** Minimum slope of the second half, as a part of the slope of the first half. A cache that fills up slows down. */
const STEADY_PART = 0.75;
/**
 * Bounds of the typical and the longest step from day to day, as parts of the slope. Memory that rises in stairs does not
 * change on most days.
 */
const TYPICAL_STEP_PART = 0.6;
const LONGEST_STEP_PART = 3;
/**
 * Minimum part of the rise that is above all days before it. A periodic change, or a server that is restarted, only returns to
 * an earlier level.
 */
const NEW_PART = 0.5;
/** Days to the limit beyond which there is no reason to act. */
const HORIZON_DAYS = 90;
/** Time in ms for which a forecast is compared with the actual values, and its maximum error as a part of the predicted rise. */
const CHECKED_MS = 7 * DAY_MS;
const ERROR_PART = 0.5;
/** Part of the limit at which it counts as reached. */
const REACHED_PART = 0.95;
/** Part of the pace that remains if nobody uses the server at weekends, which cannot be seen in less than a week. */
const WORKDAYS_PART = 5 / 7;
/** Width of the predicted range of the day of the limit, in ms, that counts as narrow however near the limit is. */
const NARROW_MS = 3 * DAY_MS;

/** Straight rise that ends with the last of the days. */
interface Rise extends FittedLine {
  readonly since: number;
  readonly days: readonly Day[];
  readonly bytes: number;
}

/**
 * Returns the memory trend as it would have been reported after each of the days; undefined after a day without one. Once a
 * forecast has turned out wrong, nothing more is reported from these days.
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

/** Whether the memory fell because it had reached the limit. This was forecast, so a new rise is separate from the last one. */
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
  // Peaks reach the limit before the lowest values do. The part of a day's range that is due to the rise itself is subtracted.
  const peak = Math.max(0, median(days.map(({ min, max }) => max - min)) - perDay);
  const left = limitBytes - lineAt(at);
  const away = STRAIGHT_PART * bytes;
  const slowest = days.length > FEW_DAYS ? perDayFrom : perDayFrom * WORKDAYS_PART;
  // The last day has ended, and the limit was not reached on it.
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
