import type { TimeWindow } from './downsample.ts';

/** Room for the value axis, the same in every chart of a stack because their time axes must coincide. */
export const PLOT_LEFT_PX = 62;
/** Room for half of the last time label. */
export const PLOT_RIGHT_PX = 20;

/** Width of the plot itself within a chart of `chartWidth`. */
export const plotWidthOf = (chartWidth: number): number =>
  Math.max(1, chartWidth - PLOT_LEFT_PX - PLOT_RIGHT_PX);

/** Place of an instant, from the left edge of the chart. */
export function xOf(at: number, window: TimeWindow, chartWidth: number): number {
  return PLOT_LEFT_PX + ((at - window.from) / (window.to - window.from)) * plotWidthOf(chartWidth);
}

/** The instant at `x`, or undefined beside the plot. */
export function instantAt(x: number, window: TimeWindow, chartWidth: number): number | undefined {
  const part = (x - PLOT_LEFT_PX) / plotWidthOf(chartWidth);
  return part < 0 || part > 1 ? undefined : window.from + part * (window.to - window.from);
}
