import { DAY_MS } from '../../../shared/units.ts';

/** Lowest and highest memory in bytes in one day or one hour, and the time of the first measurement in it. */
export interface Day {
  readonly at: number;
  readonly min: number;
  readonly max: number;
}

/** Combines hours into days of 24 hours, counted back from `until`, oldest first. Omits days without a measurement. */
export function daysUntil(until: number, hours: readonly Day[]): readonly Day[] {
  const days = new Map<number, Day>();
  for (const hour of hours) {
    if (hour.at >= until) continue;
    const number = Math.ceil((until - hour.at) / DAY_MS);
    const day = days.get(number);
    days.set(number, {
      at: Math.min(hour.at, day?.at ?? hour.at),
      min: Math.min(hour.min, day?.min ?? hour.min),
      max: Math.max(hour.max, day?.max ?? hour.max),
    });
  }
  return [...days].sort(([one], [other]) => other - one).map(([, day]) => day);
}

/** Line through the lowest values of the days. */
export interface FittedLine {
  /** Slope in bytes per day, and the range that contains it with 90 % certainty. */
  readonly perDay: number;
  readonly perDayFrom: number;
  readonly perDayTo: number;
  readonly lineAt: (at: number) => number;
}

/**
 * Uncertainty of the slope, as a fraction of the slope, if there is only one day. It covers uneven use of the server and is
 * divided by the square root of the number of days.
 */
const UNEVEN_PART = 0.4;

/** Fits a line by medians (Theil–Sen), which single outliers do not affect. The slope's range is from Kendall's variance. */
export function fitLine(days: readonly Day[]): FittedLine {
  const { length } = days;
  const slopes = new Float64Array((length * (length - 1)) / 2);
  let count = 0;
  for (let one = 0; one < length; one += 1)
    for (let other = one + 1; other < length; other += 1) slopes[count++] = slopeOf(days[one]!, days[other]!);
  slopes.sort();
  const perDay = middleOf(slopes);
  const start = days[0]!.at;
  const offset = median(days.map(({ at, min }) => min - (perDay * (at - start)) / DAY_MS));
  const spread = 1.645 * Math.sqrt((length * (length - 1) * (2 * length + 5)) / 18);
  const from = Math.max(0, Math.floor((count - spread) / 2));
  const uneven = (UNEVEN_PART / Math.sqrt(length)) * perDay;
  return {
    perDay,
    perDayFrom: Math.min(slopes[from]!, perDay - uneven),
    perDayTo: Math.max(slopes[count - 1 - from]!, perDay + uneven),
    lineAt: (at) => offset + (perDay * (at - start)) / DAY_MS,
  };
}

/** Slope in bytes per day between two days. */
export const slopeOf = (one: Day, other: Day): number =>
  ((other.min - one.min) / (other.at - one.at)) * DAY_MS;

export const median = (values: readonly number[]): number => middleOf(Float64Array.from(values).sort());

function middleOf(sorted: Float64Array): number {
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
