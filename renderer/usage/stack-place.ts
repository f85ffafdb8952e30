import type { TimeWindow } from '../charts/downsample.ts';
import { instantAt } from '../charts/plot-frame.ts';

/** Buckets that charts are drawn of. */
export interface Buckets {
  readonly from: number;
  readonly stepMs: number;
}

/** Bucket at a place from the left; undefined beside the plot, and before the first one. */
export function stepAtX(
  x: number,
  window: TimeWindow,
  width: number,
  { from, stepMs }: Buckets,
): number | undefined {
  const at = instantAt(x, window, width);
  return at === undefined || at < from ? undefined : stepOf(at, { from, stepMs });
}

/** Bucket that holds an instant. */
export const stepOf = (at: number, { from, stepMs }: Buckets): number => Math.floor((at - from) / stepMs);

/** Middle of a bucket as an instant. */
export const middleOf = (step: number, { from, stepMs }: Buckets): number => from + (step + 0.5) * stepMs;
