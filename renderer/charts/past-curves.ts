import type { HistoryMetric, LimitsInForce, SeriesReply } from '../../shared/history.ts';
import { axisWithin, shownLimits, type ChartFigure, type ChartLimit } from './chart-figures.ts';
import { peakOf, type TimeWindow } from './downsample.ts';
import { pastLimitSpans } from './past-limits.ts';
import { seriesRows } from './series-rows.ts';
import type { SampleCurve } from './use-curves.ts';

/** What the history calls the figures of a chart. */
export const metricOf: Readonly<Record<ChartFigure['id'], HistoryMetric>> = {
  memory: 'memoryBytes',
  cpu: 'cpuPercent',
  files: 'openFiles',
  processes: 'processCount',
  latency: 'rttMs',
};

/** No more buckets than a chart has room for; a round step is chosen below it. */
export const PAST_BUCKETS = 400;

/**
 * Curves of a server from what the history answered.
 * @param limitsNow stand in where the history kept no limits
 */
export function pastCurves(
  reply: SeriesReply,
  server: string,
  figures: readonly ChartFigure[],
  window: TimeWindow,
  limitsNow: (figure: ChartFigure) => readonly ChartLimit[],
): readonly SampleCurve[] {
  const kept = reply.limits.filter((limits) => limits.server === server);
  return figures.map((figure) => {
    const series = reply.series.find((one) => one.server === server && one.metric === metricOf[figure.id]);
    const data = seriesRows(series ?? NO_SERIES, reply, { window, isSparse: figure.isSparse === true });
    const limits = kept.length === 0 ? limitsNow(figure) : keptLimits(figure, kept, window);
    return {
      // The average of a count is no count, so that it is a line with a band, and no steps.
      figure: figure.shape === 'steps' ? { ...figure, shape: 'line' } : figure,
      data,
      limits,
      axis: axisWithin(figure, peakOf(data.rows), limits),
    };
  });
}

const NO_SERIES = { index: [], avg: [], min: [], max: [] };

function keptLimits(
  { limit }: ChartFigure,
  kept: readonly LimitsInForce[],
  window: TimeWindow,
): readonly ChartLimit[] {
  if (limit === undefined) return [];
  return shownLimits(pastLimitSpans(kept, limit.setting, limit.unit), limit, window);
}

/** Whether the history has anything of a server from before an instant. */
export function hasBefore({ series, from, stepMs }: SeriesReply, server: string, at: number): boolean {
  return series.some(
    ({ server: of, index }) =>
      of === server && index[0] !== undefined && from + (index[0] + 1) * stepMs <= at,
  );
}
