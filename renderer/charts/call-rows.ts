import type { ChartRow, TimeWindow } from './downsample.ts';

/** Calls that were counted from `at` on, for as long as the unit of the list. */
interface Counted {
  readonly at: number;
  readonly calls: number;
}

interface RateFrame {
  readonly window: TimeWindow;
  readonly absences: readonly TimeWindow[];
  /** Time that each count stands for. */
  readonly unitMs: number;
}

/** A block as wide as its unit for each count, and none in between: no call is a measurement where somebody was there to see it. */
export function rateRows(
  counts: readonly Counted[],
  { window, absences, unitMs }: RateFrame,
): readonly ChartRow[] {
  return counts.flatMap(({ at, calls }, position) => {
    const end = Math.min(at + unitMs, window.to);
    const next = counts[position + 1]?.at ?? window.to;
    const isLast = position === counts.length - 1;
    const start = rowOf(Math.max(at, window.from), calls);
    if (next <= end) return isLast ? [start, rowOf(end, calls)] : [start];
    const isUnknown = absences.some(({ from, to }) => from < next && to > end);
    if (isUnknown) return [start, rowOf(end, calls), gapAt(end)];
    return [start, rowOf(end, 0), ...(isLast ? [rowOf(window.to, 0)] : [])];
  });
}

const rowOf = (at: number, value: number): ChartRow => ({ at, average: value, least: value, most: value });

export const gapAt = (at: number): ChartRow => ({ at, average: null, least: null, most: null });

/** What was counted at an instant. */
export const countedAt = <T extends { readonly at: number }>(
  counts: readonly T[],
  instant: number,
  unitMs: number,
): T | undefined => counts.find(({ at }) => at <= instant && instant < at + unitMs);

/** Middle of what is shown of a unit. */
export const middleOf = (at: number, unitMs: number, window: TimeWindow): number =>
  (Math.max(at, window.from) + Math.min(at + unitMs, window.to)) / 2;
