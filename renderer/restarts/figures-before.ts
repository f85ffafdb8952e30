import type { HistoryMetric, SeriesReply } from '../../shared/history.ts';
import type { PastFigures } from '../format/run-end-words.ts';

/** Age in ms above which figures no longer count as the figures before the end. */
const MOST_BEFORE_MS = 30 * 60_000;

/**
 * Figures just before an end, from the last bucket that was complete by then, because the bucket of the end may
 * include the next run. Undefined if nothing is stored of that time.
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
