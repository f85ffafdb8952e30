import type { Series, SeriesReply } from '../../shared/history.ts';
import { middleOf } from './call-rows.ts';
import type { ChartRow, ChartRows, TimeWindow } from './downsample.ts';

/** Silence between single samples that is no gap: three of the slowest looks of the sampler. */
const SAMPLE_REACH_MS = 15_000;

interface RowRules {
  readonly window: TimeWindow;
  /** Whether the figure is measured now and then only: then nothing but an absence of the panel is a gap. */
  readonly isSparse: boolean;
}

/** Farthest apart that two figures may be without a gap between them: buckets may be shorter than the pace of the sampler. */
export const reachOf = (stepMs: number): number => Math.max(stepMs, SAMPLE_REACH_MS);

/**
 * Rows of a curve from the buckets of the history, each in the middle of what is shown of its bucket, with a row of nulls in
 * each gap. Nothing is drawn beside the window, which may begin in the middle of a bucket, or be another one by now.
 */
export function seriesRows(
  { index, avg, min, max }: Pick<Series, 'index' | 'avg' | 'min' | 'max'>,
  { from, stepMs, absences }: Pick<SeriesReply, 'from' | 'stepMs' | 'absences'>,
  { window, isSparse }: RowRules,
): ChartRows {
  const rows: ChartRow[] = [];
  let isBanded = false;
  const isGap = (before: number, number: number) => {
    if (!isSparse) return (number - before) * stepMs > reachOf(stepMs);
    const [since, until] = [from + (before + 1) * stepMs, from + number * stepMs];
    return absences.some((absence) => absence.from < until && absence.to > since);
  };
  index.forEach((number, position) => {
    const [average, least, most] = [avg[position], min[position], max[position]];
    const start = from + number * stepMs;
    if (average === undefined || least === undefined || most === undefined) return;
    if (start + stepMs <= window.from || start >= window.to) return;
    const before = index[position - 1];
    if (rows.length > 0 && before !== undefined && isGap(before, number))
      rows.push({ at: from + ((before + number + 1) / 2) * stepMs, average: null, least: null, most: null });
    rows.push({ at: middleOf(start, stepMs, window), average, least, most });
    isBanded ||= most > least;
  });
  return { rows, isBanded };
}
