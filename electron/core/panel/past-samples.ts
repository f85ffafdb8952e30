import { historyMetrics, MAX_SERIES_BUCKETS, type SeriesReply, type Span } from '../../../shared/history.ts';
import type { Sample } from '../../../shared/domain.ts';
import type { HistorySource } from '../store/history-source.ts';

const HOUR_MS = 3_600_000;
const SECOND_MS = 1000;
/** An hour of seconds is more than one question may bring; and an answer is taken apart in one turn of the loop. */
const PART_MS = MAX_SERIES_BUCKETS * 0.9 * SECOND_MS;

/** Samples of a server within a span that the history kept one by one, oldest first: those of the last hour of it. */
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

/** One sample for each second that has any. Of coarser figures none, because they would pass for single looks. */
function samplesOf({ from, stepMs, series }: SeriesReply): readonly Sample[] {
  if (stepMs !== SECOND_MS) return [];
  const samples = new Map<number, Sample>();
  for (const { metric, index, max } of series) {
    index.forEach((bucket, place) => {
      const sample = samples.get(bucket) ?? { at: from + bucket * stepMs, processCount: 0 };
      // What was seen in truth, where two looks fell into one second: half a process is none.
      const value = max[place];
      samples.set(bucket, value === undefined ? sample : { ...sample, [metric]: value });
    });
  }
  return [...samples.values()].sort((one, other) => one.at - other.at);
}
