import { historyMetrics, type HistoryMetric } from '../../../shared/history.ts';

/** Aggregate of measurements of one metric. Counts and sums are added, so aggregates can be merged in any order. */
export interface Stat {
  readonly count: number;
  readonly min: number;
  readonly sum: number;
  readonly max: number;
}

/** One aggregate per metric, in the order of the metrics; undefined if nothing was measured. */
export type Figures = readonly (Stat | undefined)[];

/**
 * Factors for the conversion to the stored integers: memory in KiB, CPU in tenths of a percent, round trips in tenths of a
 * millisecond.
 */
const KEPT_PER_UNIT: Readonly<Record<HistoryMetric, number>> = {
  memoryBytes: 1 / 1024,
  cpuPercent: 10,
  openFiles: 1,
  processCount: 1,
  rttMs: 10,
};

/** Returns the figures of one sample, given as numbers in the order of the metrics; NaN if nothing was measured. */
export const sampleFigures = (values: ArrayLike<number>): Figures =>
  historyMetrics.map((metric, index) => single(values[index]! * KEPT_PER_UNIT[metric]));

/** Converts a stored number to the unit of its metric. */
export const inUnit = (metric: HistoryMetric, kept: number): number => kept / KEPT_PER_UNIT[metric];

/** Position of failures in the figures of calls. A failed call is stored as 1, any other as 0, so the sum is the error count. */
export const FAILED = 0;
export const DURATION = 1;
/** Factor for stored durations, which are in tenths of a millisecond. */
export const KEPT_PER_MS = 10;

/**
 * Figures added once for each sample of all servers to a separate series, whose count is therefore the number of samples taken.
 */
export const ONE_LOOK: Figures = [{ count: 1, min: 1, sum: 1, max: 1 }];

/** Returns the figure of a single measurement; undefined for an invalid one, such as a negative number. */
function single(value: number): Stat | undefined {
  const kept = Math.round(value);
  if (!(kept >= 0 && kept <= Number.MAX_SAFE_INTEGER)) return undefined;
  return { count: 1, min: kept, sum: kept, max: kept };
}

function merged(one: Stat | undefined, other: Stat | undefined): Stat | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return {
    count: one.count + other.count,
    min: Math.min(one.min, other.min),
    sum: one.sum + other.sum,
    max: Math.max(one.max, other.max),
  };
}

export const mergedFigures = (one: Figures, other: Figures): Figures =>
  one.length >= other.length
    ? one.map((stat, index) => merged(stat, other[index]))
    : mergedFigures(other, one);
