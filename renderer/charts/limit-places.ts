import type { ChartLimit } from './chart-figures.ts';
import type { TimeWindow } from './downsample.ts';
import type { ValueAxis } from './value-axis.ts';

/** Limit as it is drawn within a window. */
export interface LimitPlace {
  readonly limit: ChartLimit;
  /** Part of the window in which it was in force. */
  readonly from: number;
  readonly to: number;
  /** Whether the axis reaches it; beyond, its words stand above the plot and no line. */
  readonly isWithin: boolean;
  /** Whether the words stand below the line, because above it they would leave the plot. */
  readonly isBelow: boolean;
  /** Whether the words stand at the right end, which is where there is room when it began late. */
  readonly isLate: boolean;
  readonly words: string;
}

/** Places of the limits of a strip. Of those beyond the axis only the one in force now is told. */
export function limitPlaces(
  limits: readonly ChartLimit[],
  axis: Pick<ValueAxis, 'top'>,
  window: TimeWindow,
): readonly LimitPlace[] {
  const newest = limits.at(-1);
  return limits
    .filter((limit) => limit.value <= axis.top || limit === newest)
    .map((limit) => {
      const isWithin = limit.value <= axis.top;
      return {
        limit,
        from: Math.max(limit.from, window.from),
        to: Math.min(limit.to, window.to),
        isWithin,
        isBelow: isWithin && limit.value > axis.top * 0.85,
        isLate: limit.from > (window.from + window.to) / 2,
        words: isWithin ? limit.words : `↑ ${limit.words}`,
      };
    });
}
