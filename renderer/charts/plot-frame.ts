import type { TimeWindow } from './downsample.ts';
import type { ValueAxis } from './axis.ts';

/** Width of the value axis in px, the same in every chart of a stack because their time axes must coincide. */
export const PLOT_LEFT_PX = 62;
/** Space in px at the right for half of the last time label. */
export const PLOT_RIGHT_PX = 20;

/** Width of the plot within a chart of `chartWidth`, in px. */
export const plotWidthOf = (chartWidth: number): number =>
  Math.max(1, chartWidth - PLOT_LEFT_PX - PLOT_RIGHT_PX);

/** Returns the x position of an instant in px, from the left edge of the chart. */
export function xOf(at: number, window: TimeWindow, chartWidth: number): number {
  return PLOT_LEFT_PX + ((at - window.from) / (window.to - window.from)) * plotWidthOf(chartWidth);
}

/** Returns the instant at an x position in px; undefined outside the plot. */
export function instantAt(x: number, window: TimeWindow, chartWidth: number): number | undefined {
  const part = (x - PLOT_LEFT_PX) / plotWidthOf(chartWidth);
  return part < 0 || part > 1 ? undefined : window.from + part * (window.to - window.from);
}

/** Space above and below the plot, in px. */
export const STRIP_TOP_PX = 10;
export const STRIP_BOTTOM_PX = 8;

/** Height in px of the title above each chart. Above the first chart, the title replaces the lane for event marks. */
export const TITLE_PX = 26;

interface StripFrame {
  readonly axis: Pick<ValueAxis, 'top'>;
  /** Height of the chart in px, without its title. */
  readonly height: number;
}

/** Returns the y position of a value in px, from the upper edge of its chart. */
export function yOf(value: number, { axis, height }: StripFrame): number {
  const base = height - STRIP_BOTTOM_PX;
  return base - (value / axis.top) * (base - STRIP_TOP_PX);
}

/** Returns the value at a y position of a chart, in px from its upper edge. */
export function figureAtY(y: number, { axis, height }: StripFrame): number {
  const base = height - STRIP_BOTTOM_PX;
  return ((base - y) / (base - STRIP_TOP_PX)) * axis.top;
}
