import { historyMetrics, MAX_SERIES_BUCKETS, type SeriesReply, type Span } from '../../../shared/history.ts';
import type { Sample } from '../../../shared/domain.ts';
import type { HistorySource } from '../store/history-source.ts';
import { HOUR_MS, SECOND_MS } from '../../../shared/units.ts';
/**
 * Milliseconds that one query covers, because an hour of seconds exceeds the limit of a query, and its answer is processed in
 * one event-loop tick.
 */
const PART_MS = MAX_SERIES_BUCKETS * 0.9 * SECOND_MS;

/**
 * Samples of a server within a span, oldest first. The span begins an hour ago at the earliest, because the history keeps
 * single samples for an hour.
 */
export async function pastSamples(
  source: Pick<HistorySource, 'series'>,
  server: string,
  { from, to }: Span,
): Promise<readonly Sample[]> {
  const samples: Sample[] = [];
  for (let start = Math.max(from, to - HOUR_MS); start < to; start += PART_MS) {
    const span = { from: start, to: Math.min(to, start + PART_MS) };
    const reply = await source.series({
      ...span,
      servers: [server],
      metrics: [...historyMetrics],
      maxBuckets: MAX_SERIES_BUCKETS,
    });
    samples.push(...samplesOf(reply).filter(({ at }) => at >= span.from && at < span.to));
  }
  return samples;
}

/** Returns one sample for each second with data. Coarser figures give none, because they would pass for single samples. */
function samplesOf({ from, stepMs, series }: SeriesReply): readonly Sample[] {
  if (stepMs !== SECOND_MS) return [];
  const samples = new Map<number, Sample>();
  for (const { metric, index, max } of series) {
    index.forEach((bucket, place) => {
      const sample = samples.get(bucket) ?? { at: from + bucket * stepMs, processCount: 0 };
      // The maximum is a measured value when two samples fell into one second; an average could be half a process.
      const value = max[place];
      samples.set(bucket, value === undefined ? sample : { ...sample, [metric]: value });
    });
  }
  return [...samples.values()].sort((one, other) => one.at - other.at);
}
