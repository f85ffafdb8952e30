import type { Series, SeriesReply } from '../../shared/history.ts';
import type { ChartRow, ChartRows } from './downsample.ts';

/** Silence between single samples that is no gap: three of the slowest looks of the sampler. */
const SAMPLE_REACH_MS = 15_000;

type Buckets = Pick<SeriesReply, 'from' | 'to' | 'stepMs' | 'resolution'>;

/**
 * Rows of a curve from the buckets of the history, each in the middle of its bucket. Where the history kept minutes or
 * quarters of an hour, a bucket that is left out is a gap; where it kept samples, only a silence that the pace of the sampler
 * does not explain, because buckets may be shorter than that pace.
 * @param isSparse whether it is measured now and then only: then no silence is a gap
 */
export function seriesRows(
  { index, avg, min, max }: Pick<Series, 'index' | 'avg' | 'min' | 'max'>,
  { from, to, stepMs, resolution }: Buckets,
  isSparse: boolean,
): ChartRows {
  const reachMs = resolution === 'sample' ? Math.max(stepMs, SAMPLE_REACH_MS) : stepMs;
  const rows: ChartRow[] = [];
  let isBanded = false;
  index.forEach((number, position) => {
    const [average, least, most] = [avg[position], min[position], max[position]];
    if (average === undefined || least === undefined || most === undefined) return;
    const before = index[position - 1];
    if (before !== undefined && !isSparse && (number - before) * stepMs > reachMs)
      rows.push({ at: from + ((before + number + 1) / 2) * stepMs, average: null, least: null, most: null });
    // The last bucket may reach beyond the span, and nothing is drawn there.
    rows.push({ at: Math.min(from + (number + 0.5) * stepMs, to), average, least, most });
    isBanded ||= most > least;
  });
  return { rows, isBanded };
}
