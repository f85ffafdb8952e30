import type { Sample } from './domain.ts';
import type { HistoryMetric, Series, Span } from './history.ts';
import { DAY_MS } from './units.ts';

/** Bucket lengths in ms: the usual time steps that users can read easily. */
const STEPS_MS = [
  1000,
  2000,
  5000,
  10_000,
  15_000,
  30_000,
  60_000,
  2 * 60_000,
  5 * 60_000,
  10 * 60_000,
  15 * 60_000,
  30 * 60_000,
  3_600_000,
  2 * 3_600_000,
  3 * 3_600_000,
  6 * 3_600_000,
  12 * 3_600_000,
];

export interface BucketSpan extends Span {
  readonly stepMs: number;
}

/** Divides the span into at most `maxBuckets` buckets of `leastMs` or longer. The first begins at a multiple of their length. */
export function bucketSpan({ from, to }: Span, maxBuckets: number, leastMs: number): BucketSpan {
  const fits = (stepMs: number) =>
    stepMs >= leastMs && Math.ceil((to - alignedTo(from, stepMs)) / stepMs) <= maxBuckets;
  let stepMs = STEPS_MS.find(fits) ?? Math.max(1, Math.ceil((to - from) / maxBuckets / DAY_MS)) * DAY_MS;
  // A span that begins in the middle of its first bucket needs one more bucket.
  while (!fits(stepMs)) stepMs += stepMs;
  return { from: alignedTo(from, stepMs), to, stepMs };
}

const alignedTo = (at: number, stepMs: number): number => Math.floor(at / stepMs) * stepMs;

/** Time step in which at least one value was measured, with the statistics of its values. */
interface Bucket {
  /** Number of the bucket, which covers `from + index * stepMs` up to `stepMs` later. */
  readonly index: number;
  readonly count: number;
  readonly min: number;
  readonly sum: number;
  readonly max: number;
}

/** Down-samples values: accepts them in any order and resolution, and merges them into the buckets of a span. */
export class Buckets {
  readonly #span: BucketSpan;
  readonly #counts: Float64Array;
  readonly #mins: Float64Array;
  readonly #sums: Float64Array;
  readonly #maxes: Float64Array;

  constructor(span: BucketSpan) {
    const size = bucketCount(span);
    this.#span = span;
    this.#counts = new Float64Array(size);
    this.#mins = new Float64Array(size);
    this.#sums = new Float64Array(size);
    this.#maxes = new Float64Array(size);
  }

  /** Adds `count` values measured from `at` on, with their minimum, sum and maximum. Values outside the span are dropped. */
  add(at: number, count: number, min: number, sum: number, max: number): void {
    const { from, to, stepMs } = this.#span;
    if (count === 0 || at < from || at >= to) return;
    const index = Math.floor((at - from) / stepMs);
    const isFirst = this.#counts[index] === 0;
    this.#mins[index] = isFirst ? min : Math.min(this.#mins[index]!, min);
    this.#maxes[index] = isFirst ? max : Math.max(this.#maxes[index]!, max);
    this.#counts[index]! += count;
    this.#sums[index]! += sum;
  }

  /** Returns the buckets that are not empty, in ascending order. */
  get filled(): readonly Bucket[] {
    const filled: Bucket[] = [];
    for (const [index, count] of this.#counts.entries()) {
      if (count === 0) continue;
      filled.push({
        index,
        count,
        min: this.#mins[index]!,
        sum: this.#sums[index]!,
        max: this.#maxes[index]!,
      });
    }
    return filled;
  }
}

const bucketCount = ({ from, to, stepMs }: BucketSpan): number =>
  Math.max(0, Math.ceil((to - from) / stepMs));

/** Returns the buckets as a series to send to the page. @param inUnit converts a stored number to the unit of the metric */
export function toSeries(
  server: string,
  metric: HistoryMetric,
  buckets: readonly Bucket[],
  inUnit: (figure: number) => number = (figure) => figure,
): Series {
  return {
    server,
    metric,
    index: buckets.map(({ index }) => index),
    min: buckets.map(({ min }) => inUnit(min)),
    // The average is limited to the range of the values, because the sum may have been rounded.
    avg: buckets.map(({ sum, count, min, max }) => inUnit(Math.min(Math.max(sum / count, min), max))),
    max: buckets.map(({ max }) => inUnit(max)),
  };
}

/** Returns the series of one metric of a server's samples, in the buckets of a span. */
export const seriesOfSamples = (
  server: string,
  metric: HistoryMetric,
  samples: readonly Sample[],
  span: BucketSpan,
): Series => toSeries(server, metric, bucketsOf(metric, samples, span));

export function bucketsOf(
  metric: HistoryMetric,
  samples: readonly Sample[],
  span: BucketSpan,
): readonly Bucket[] {
  const buckets = new Buckets(span);
  for (const sample of samples) {
    const value = sample[metric];
    if (value !== undefined) buckets.add(sample.at, 1, value, value, value);
  }
  return buckets.filled;
}
