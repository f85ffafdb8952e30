import { STRIP_BOTTOM_PX, STRIP_TOP_PX } from '../charts/curve-look.ts';
import type { TimeWindow } from '../charts/downsample.ts';
import { instantAt, xOf } from '../charts/plot-frame.ts';
import type { StripFrame } from '../charts/strip-place.ts';
import type { StackScale } from '../overview/usage-stack.ts';

/** Buckets that charts are drawn of. */
export interface Buckets {
  readonly from: number;
  readonly stepMs: number;
}

/** Places of a stack within its chart. */
export function stripScale({ window, axis, width, height }: StripFrame, buckets: Buckets): StackScale {
  const base = height - STRIP_BOTTOM_PX;
  return {
    xOf: (step) => xOf(buckets.from + step * buckets.stepMs, window, width),
    yOf: (figure) => base - (figure / axis.top) * (base - STRIP_TOP_PX),
    isStepped: false,
  };
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
