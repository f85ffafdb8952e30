import type { LimitsInForce, SeriesReply, Series } from '../../shared/history.ts';
import { axisWithin, type ChartFigure, type ChartLimit } from '../charts/chart-figures.ts';
import { peakOf, type ChartRow, type TimeWindow } from '../charts/downsample.ts';
import type { Curve } from '../charts/use-curves.ts';
import { formatTick } from '../charts/value-axis.ts';

/** Buckets without samples in a row that make a gap; one may be a look that came late. */
const GAP_BUCKETS = 3;

/** The rows of a kept series, with a null row in each gap. */
export function rowsOfSeries(
  { index, avg, min, max }: Series,
  { from, stepMs }: SeriesReply,
): readonly ChartRow[] {
  const rows: ChartRow[] = [];
  index.forEach((bucket, position) => {
    const before = index[position - 1];
    const at = from + (bucket + 0.5) * stepMs;
    if (before !== undefined && bucket - before > GAP_BUCKETS)
      rows.push({
        at: from + ((before + bucket) / 2 + 0.5) * stepMs,
        average: null,
        least: null,
        most: null,
      });
    rows.push({ at, average: avg[position]!, least: min[position]!, most: max[position]! });
  });
  return rows;
}

/** The curve of a figure from what is kept; undefined where nothing of it is. */
export function curveOfSeries(
  figure: ChartFigure,
  metric: Series['metric'],
  reply: SeriesReply,
  window: TimeWindow,
): Curve | undefined {
  const series = reply.series.find((one) => one.metric === metric);
  if (series === undefined || series.index.length === 0) return undefined;
  const rows = rowsOfSeries(series, reply);
  const isBanded = series.min.some((least, position) => least !== series.max[position]);
  const limits = limitsOf(figure, reply.limits, window);
  return { figure, data: { rows, isBanded }, limits, axis: axisWithin(figure, peakOf(rows), limits) };
}

function limitsOf(
  { limit }: ChartFigure,
  inForce: readonly LimitsInForce[],
  window: TimeWindow,
): readonly ChartLimit[] {
  if (limit === undefined) return [];
  return inForce
    .map((one, position) => {
      const value = one[limit.setting] * limit.unit;
      const to = inForce[position + 1]?.from ?? Infinity;
      return { from: one.from, to, value, words: `limit ${formatTick(value, limit.format)}` };
    })
    .filter(({ from, to }) => from < window.to && to > window.from);
}
