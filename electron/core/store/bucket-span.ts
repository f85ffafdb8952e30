import type { Span } from '../../../shared/history.ts';

/** Lengths of buckets, in milliseconds: lengths that people read times in. */
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
const DAY_MS = 24 * 3_600_000;

export interface BucketSpan extends Span {
  readonly stepMs: number;
}

/** The span in no more than `maxBuckets` buckets, each of at least `leastMs`. It begins at a multiple of the length. */
export function bucketSpan({ from, to }: Span, maxBuckets: number, leastMs: number): BucketSpan {
  const fits = (stepMs: number) =>
    stepMs >= leastMs && Math.ceil((to - alignedTo(from, stepMs)) / stepMs) <= maxBuckets;
  let stepMs = STEPS_MS.find(fits) ?? Math.max(1, Math.ceil((to - from) / maxBuckets / DAY_MS)) * DAY_MS;
  // The span may begin in the middle of its first bucket, and then it needs one more.
  while (!fits(stepMs)) stepMs += stepMs;
  return { from: alignedTo(from, stepMs), to, stepMs };
}

const alignedTo = (at: number, stepMs: number): number => Math.floor(at / stepMs) * stepMs;
