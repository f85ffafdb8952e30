import type { Series, SeriesReply } from '../../shared/history.ts';
import { middleOf } from './call-rows.ts';
import type { ChartRow, ChartRows, TimeWindow } from './downsample.ts';

/** Silence between single samples that is no gap: three of the slowest looks of the sampler. */
const SAMPLE_REACH_MS = 15_000;

type Buckets = Pick<SeriesReply, 'from' | 'stepMs' | 'resolution'>;

interface RowRules {
  readonly window: TimeWindow;
  /** Whether the figure is measured now and then only: then no silence is a gap. */
  readonly isSparse: boolean;
}

/**
 * Rows of a curve from the buckets of the history, each in the middle of what is shown of its bucket. Where the history kept minutes or
 * quarters of an hour, a bucket that is left out is a gap; where it kept samples, only a silence that the pace of the sampler
 * does not explain, because buckets may be shorter than that pace.
 * Nothing is drawn beside the window, which may begin in the middle of a bucket, or be another one by now.
 */
export function seriesRows(
  { index, avg, min, max }: Pick<Series, 'index' | 'avg' | 'min' | 'max'>,
  { from, stepMs, resolution }: Buckets,
  { window, isSparse }: RowRules,
): ChartRows {
  const reachMs = resolution === 'sample' ? Math.max(stepMs, SAMPLE_REACH_MS) : stepMs;
  const rows: ChartRow[] = [];
  let isBanded = false;
  index.forEach((number, position) => {
    const [average, least, most] = [avg[position], min[position], max[position]];
    const start = from + number * stepMs;
    if (average === undefined || least === undefined || most === undefined) return;
    if (start + stepMs <= window.from || start >= window.to) return;
    const at = middleOf(start, stepMs, window);
    const before = index[position - 1];
    if (rows.length > 0 && before !== undefined && !isSparse && (number - before) * stepMs > reachMs)
      rows.push({ at: from + ((before + number + 1) / 2) * stepMs, average: null, least: null, most: null });
    rows.push({ at, average, least, most });
    isBanded ||= most > least;
  });
  return { rows, isBanded };
}
