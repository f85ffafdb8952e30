import type { HistoryMetric, Series } from '../../../shared/history.ts';
import type { Bucket } from './buckets.ts';

/** Buckets as the page gets them. @param inUnit a figure of the buckets in the unit of the metric */
export function toSeries(
  server: string,
  metric: HistoryMetric,
  buckets: readonly Bucket[],
  inUnit: (figure: number) => number = (figure) => figure,
): Series {
  return {
    server,
    metric,
    index: buckets.map(({ index }) => index),
    min: buckets.map(({ min }) => inUnit(min)),
    // A sum that was rounded must not leave the span of its values.
    avg: buckets.map(({ sum, count, min, max }) => inUnit(Math.min(Math.max(sum / count, min), max))),
    max: buckets.map(({ max }) => inUnit(max)),
  };
}
