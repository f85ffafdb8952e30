import type { CallBucket, CallSeriesQuery, CallSeriesReply, Span } from '../../../../shared/history.ts';
import { Buckets } from '../../../../shared/buckets.ts';
import { DURATION, FAILED, KEPT_PER_MS } from '../figures.ts';
import { fillBuckets, type Sinks } from './fill-buckets.ts';
import type { HistoryFile } from './history-file.ts';
import { LEVELS, QUARTERS, type Resolution, resolutionOf } from './levels.ts';
import { MINUTE_MS } from '../../../../shared/units.ts';

/**
 * Reads the numbers and durations of calls over time, of all servers or of one. Without `client`, they are as seen by the
 * server connections, for all callers; with `client`, as seen by that client. Client calls are recorded in both ways, because a
 * call that a client waited for may never have reached a server.
 */
export function readCalls(
  file: HistoryFile,
  { server, client = '', eachOf, ...wanted }: CallSeriesQuery,
  now: number,
): CallSeriesReply {
  const resolution = resolutionOf(wanted, now, MINUTE_MS);
  const idsOf = (name: string | undefined) =>
    file.names.all
      .filter((one) => one.kind === 'calls' && one.client === client && (name ?? one.server) === one.server)
      .map(({ id }) => id);
  const ids = idsOf(server);
  return {
    ...resolution.span,
    ...busiestOf(file, ids, wanted, now),
    buckets: bucketsOf(file, resolution, ids),
    ...(eachOf !== undefined && {
      servers: eachOf.map((name) => ({ server: name, buckets: bucketsOf(file, resolution, idsOf(name)) })),
    }),
  };
}

function bucketsOf(file: HistoryFile, resolution: Resolution, ids: readonly number[]): CallBucket[] {
  const failed = new Buckets(resolution.span);
  const durations = new Buckets(resolution.span);
  const sinks: Sinks = Object.assign([], { [FAILED]: failed, [DURATION]: durations });
  fillBuckets(file, resolution, new Map(ids.map((id) => [id, sinks])));
  const timed = new Map(durations.filled.map((bucket) => [bucket.index, bucket]));
  return failed.filled.map(({ index, count: calls, sum: errors }) => {
    const times = timed.get(index);
    if (times === undefined) return { index, calls, errors };
    const averageMs = times.sum / times.count / KEPT_PER_MS;
    return { index, calls, errors, averageMs, maxMs: times.max / KEPT_PER_MS };
  });
}

/** Returns the busiest step of the finest level that covers the whole span, regardless of the bucket length. */
function busiestOf(
  file: HistoryFile,
  ids: readonly number[],
  { from, to }: Span,
  now: number,
): Pick<CallSeriesReply, 'busiest'> {
  const level = LEVELS.find(({ keptMs }) => from >= now - keptMs) ?? QUARTERS;
  const { stepMs, resolution } = level;
  const span = { from: Math.floor(from / stepMs) * stepMs, to, stepMs };
  const steps = new Buckets(span);
  const sinks: Sinks = Object.assign([], { [FAILED]: steps });
  fillBuckets(file, { level, resolution, span }, new Map(ids.map((id) => [id, sinks])));
  const calls = steps.filled.reduce((most, { count }) => Math.max(most, count), 0);
  return calls === 0 ? {} : { busiest: { calls, stepMs } };
}
