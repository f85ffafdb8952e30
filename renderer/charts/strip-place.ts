import { STRIP_BOTTOM_PX, STRIP_TOP_PX } from './curve-look.ts';
import type { TimeWindow } from './downsample.ts';
import type { ValueAxis } from './value-axis.ts';

/** Room above each chart for its title; of the first it is the lane that other charts have for events. */
export const TITLE_PX = 26;

/** Frame of one chart, without its title. */
export interface StripFrame {
  readonly window: TimeWindow;
  readonly axis: ValueAxis;
  readonly width: number;
  readonly height: number;
}

/** Figure at a height of a chart: the inverse of its scale. */
export function figureAtY(y: number, { axis, height }: Pick<StripFrame, 'axis' | 'height'>): number {
  const base = height - STRIP_BOTTOM_PX;
  return ((base - y) / (base - STRIP_TOP_PX)) * axis.top;
}
