import type { CallSeriesQuery, CallSeriesReply } from '../../../../shared/history.ts';
import { Buckets } from '../buckets.ts';
import { DURATION, FAILED, KEPT_PER_MS } from '../figures.ts';
import { fillBuckets, type Sinks } from './fill-buckets.ts';
import type { HistoryFile } from './history-file.ts';
import { resolutionOf } from './resolution.ts';

const MINUTE_MS = 60_000;

/**
 * What calls came to over time, of all servers or of one: as its connections saw them, whoever asked, or as one client did.
 * Calls of clients are in both, because what a client waited for may never have reached a server.
 */
export function readCalls(
  file: HistoryFile,
  { server, client, ...wanted }: CallSeriesQuery,
  now: number,
): CallSeriesReply {
  const resolution = resolutionOf(wanted, now, MINUTE_MS);
  const { span } = resolution;
  const failed = new Buckets(span);
  const durations = new Buckets(span);
  const sinks: Sinks = Object.assign([], { [FAILED]: failed, [DURATION]: durations });
  const series = file.names.all.filter(
    (one) =>
      one.kind === 'calls' &&
      (server === undefined || one.server === server) &&
      one.client === (client ?? ''),
  );
  fillBuckets(file, resolution, new Map(series.map(({ id }) => [id, sinks])));
  const timed = new Map(durations.filled.map((bucket) => [bucket.index, bucket]));
  return {
    ...span,
    buckets: failed.filled.map(({ index, count: calls, sum: errors }) => {
      const times = timed.get(index);
      if (times === undefined) return { index, calls, errors };
      return {
        index,
        calls,
        errors,
        averageMs: times.sum / times.count / KEPT_PER_MS,
        maxMs: times.max / KEPT_PER_MS,
      };
    }),
  };
}
