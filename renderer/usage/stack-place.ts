import { STRIP_BOTTOM_PX, STRIP_TOP_PX } from '../charts/curve-look.ts';
import type { TimeWindow } from '../charts/downsample.ts';
import { instantAt, xOf } from '../charts/plot-frame.ts';
import type { ValueAxis } from '../charts/value-axis.ts';
import type { StackScale } from '../overview/usage-stack.ts';

/** Room above each chart for its title; of the first it is the lane that other charts have for events. */
export const TITLE_PX = 26;

/** Buckets that charts are drawn of. */
export interface Buckets {
  readonly from: number;
  readonly stepMs: number;
}

/** Frame of one chart, without its title. */
export interface StripFrame {
  readonly window: TimeWindow;
  readonly axis: ValueAxis;
  readonly width: number;
  readonly height: number;
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

/** Figure at a height of a chart: the inverse of its scale. */
export function figureAtY(y: number, { axis, height }: Pick<StripFrame, 'axis' | 'height'>): number {
  const base = height - STRIP_BOTTOM_PX;
  return ((base - y) / (base - STRIP_TOP_PX)) * axis.top;
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
