import type { Trend } from '../../../../shared/trend.ts';
import { bestHour } from '../../trends/best-hour.ts';
import { daysUntil } from '../../trends/line.ts';
import { memoryTrends } from '../../trends/memory-trend.ts';
import type { TrendQuery } from '../history-source.ts';
import type { HistoryFile } from './history-file.ts';
import { readCalls } from './read-calls.ts';
import { readSeries } from './read-series.ts';
import { HOUR_MS } from '../../../../shared/units.ts';
/** Number of hours read: 80 days of memory figures, which give the maximum number of buckets of a query, and 30 days of calls. */
const MEMORY_HOURS = 80 * 24;
const CALL_HOURS = 30 * 24;

/** Returns the trend of a server's memory, based on the hours that have ended; undefined if there is none. */
export function readTrend(file: HistoryFile, query: TrendQuery, now: number): Trend | undefined {
  const { server, limitBytes } = query;
  const to = Math.floor(now / HOUR_MS) * HOUR_MS;
  const from = to - MEMORY_HOURS * HOUR_MS;
  const { series } = readSeries(
    file,
    { from, to, servers: [server], metrics: ['memoryBytes'], maxBuckets: MEMORY_HOURS },
    now,
  );
  const { index = [], min = [], max = [] } = series[0] ?? {};
  const hours = index.map((hour, place) => ({
    at: from + hour * HOUR_MS,
    min: min[place]!,
    max: max[place]!,
  }));
  const days = daysUntil(to, hours);
  const isRunning = (hours.at(-1)?.at ?? 0) >= to - 24 * HOUR_MS;
  const trend = isRunning ? memoryTrends(days, limitBytes).at(-1) : undefined;
  if (trend === undefined) return undefined;
  const callsFrom = to - CALL_HOURS * HOUR_MS;
  const calls = readCalls(file, { server, from: callsFrom, to, maxBuckets: CALL_HOURS }, now);
  const quiet = bestHour(
    hours.map(({ at }) => at).filter((at) => at >= callsFrom),
    new Set(calls.buckets.map((bucket) => callsFrom + bucket.index * HOUR_MS)),
    (at) => new Date(at).getHours(),
  );
  return { ...trend, ...(quiet && { bestHour: quiet }) };
}
