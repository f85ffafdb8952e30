import type { HistoryMetric, LimitsInForce, SeriesReply, Series } from '../../shared/history.ts';
import type { PastFigures } from '../format/run-end-words.ts';
import {
  axisWithin,
  toChartLimit,
  type ChartFigure,
  type ChartLimit,
  type FigureLook,
} from '../charts/chart-figures.ts';
import { pastLimitSpans } from '../charts/past-limits.ts';
import { peakOf, type ChartRow, type TimeWindow } from '../charts/downsample.ts';
import type { Curve } from '../charts/use-curves.ts';

/** The figures that are drawn, by the metric that is kept of each. */
export const metricsOf: Readonly<Partial<Record<FigureLook['id'], HistoryMetric>>> = {
  memory: 'memoryBytes',
  cpu: 'cpuPercent',
  latency: 'rttMs',
};

export const historyMetricsShown: readonly HistoryMetric[] = [
  'memoryBytes',
  'cpuPercent',
  'openFiles',
  'processCount',
  'rttMs',
];

/** Age from which figures are not those of the time of an end. */
const MOST_BEFORE_MS = 30 * 60_000;

/**
 * Figures just before an end, from the last bucket that was over by then, because the one of the end may hold the next run,
 * too. Undefined where nothing is kept of that time.
 */
export function figuresBefore(reply: SeriesReply, endAt: number): PastFigures | undefined {
  const { from, stepMs } = reply;
  const found: Partial<Record<HistoryMetric, number>> = {};
  let at = -Infinity;
  for (const { metric, index, avg } of reply.series) {
    const last = index.findLastIndex((bucket) => from + (bucket + 1) * stepMs <= endAt);
    const bucketAt = last === -1 ? -Infinity : from + index[last]! * stepMs;
    if (endAt - bucketAt > Math.max(MOST_BEFORE_MS, stepMs)) continue;
    found[metric] = avg[last]!;
    at = Math.max(at, bucketAt);
  }
  const { memoryBytes, cpuPercent, openFiles, processCount } = found;
  if (memoryBytes === undefined && cpuPercent === undefined) return undefined;
  const limits = reply.limits.findLast((one) => one.from <= endAt);
  return {
    at,
    ...(memoryBytes !== undefined && { memoryBytes }),
    ...(cpuPercent !== undefined && { cpuPercent }),
    ...(openFiles !== undefined && { openFiles }),
    ...(processCount !== undefined && { processCount }),
    ...(limits && { limits }),
  };
}

/** Buckets without samples in a row that make a gap; one may be a look that came late. */
const GAP_BUCKETS = 3;

/** The rows of a kept series, with a null row in each gap, and at the end of the run, because the next one begins anew. */
export function rowsOfSeries(
  { index, avg, min, max }: Series,
  { from, stepMs }: Pick<SeriesReply, 'from' | 'stepMs'>,
  endAt: number,
): readonly ChartRow[] {
  const rows: ChartRow[] = [];
  index.forEach((bucket, position) => {
    const before = index[position - 1];
    const at = from + (bucket + 0.5) * stepMs;
    if (before !== undefined) {
      const beforeAt = from + (before + 0.5) * stepMs;
      const isOtherRun = beforeAt <= endAt && at > endAt;
      if (isOtherRun || bucket - before > GAP_BUCKETS)
        rows.push({ at: (beforeAt + at) / 2, average: null, least: null, most: null });
    }
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
  endAt: number,
): Curve | undefined {
  const series = reply.series.find((one) => one.metric === metric);
  if (series === undefined || series.index.length === 0) return undefined;
  const rows = rowsOfSeries(series, reply, endAt);
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
  return pastLimitSpans(inForce, limit.setting, limit.unit)
    .filter(({ from, to }) => from < window.to && to > window.from)
    .map((span) => toChartLimit(span, limit));
}
