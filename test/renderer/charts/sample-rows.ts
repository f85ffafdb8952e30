import { seriesOfSamples } from '../../../shared/buckets.ts';
import type { Sample } from '../../../shared/domain.ts';
import type { HistoryMetric } from '../../../shared/history.ts';
import type { TimeWindow } from '../../../renderer/charts/downsample.ts';
import { seriesRows } from '../../../renderer/charts/series.ts';

/** Rows of samples by the buckets of a window that begins with one. */
export function sampleRows(
  samples: readonly Sample[],
  metric: HistoryMetric,
  window: TimeWindow,
  stepMs: number,
  rules: Omit<Partial<Parameters<typeof seriesRows>[2]>, 'window'> = {},
) {
  const span = { ...window, stepMs };
  const series = seriesOfSamples('one', metric, samples, span);
  return seriesRows(series, span, { window, isSparse: false, ...rules });
}
