import { useMemo } from 'react';
import { useStore } from 'zustand/react';
import { bucketSpan, seriesOfSamples } from '../../shared/buckets.ts';
import type { Sample } from '../../shared/domain.ts';
import type { ErrorReport } from '../../shared/error-codes.ts';
import type { SeriesQuery, SeriesReply } from '../../shared/history.ts';
import { useNow, useServices } from '../services.ts';
import type { TimeWindow } from './downsample.ts';
import { usePast } from './use-past.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../shared/units.ts';

interface SeriesQuestion extends Omit<SeriesQuery, 'from' | 'to' | 'servers' | 'metrics'> {
  readonly servers: readonly string[];
  readonly metrics: readonly SeriesQuery['metrics'][number][];
  readonly window: TimeWindow;
}

/** Figures of servers over a time window. */
export interface SeriesOverTime {
  /** Answer of the history, followed by the pushed samples. Until the history has answered, only the samples. */
  readonly reply: SeriesReply;
  /** True once the history has answered. */
  readonly isAnswered: boolean;
  /** Error of the last query; undefined if it succeeded. */
  readonly error: ErrorReport | undefined;
  readonly askAgain: () => void;
}

/**
 * Returns figures for all charts: buckets of the history, followed by the samples that were pushed since the answer. @param
 * question its servers, metrics and time window must be the same objects while their content is the same
 */
export function useSeries(question: SeriesQuestion): SeriesOverTime {
  const { servers, metrics, window, maxBuckets, withTotals = false, withOthers = false } = question;
  const { history, past } = useServices();
  const query = useMemo(
    (): SeriesQuery => ({
      ...{ from: Math.max(0, Math.floor(window.from)), to: Math.ceil(window.to) },
      ...{ servers: [...servers], metrics: [...metrics], maxBuckets, withTotals, withOthers },
    }),
    [servers, metrics, window, maxBuckets, withTotals, withOthers],
  );
  const { reply, error } = usePast(
    past.series,
    servers.length === 0 ? undefined : query,
    withOthers ? 'all servers' : `${metrics.join()} of ${servers.join()}`,
  );
  const stepMs = (reply ?? bucketSpan(query, maxBuckets, SECOND_MS)).stepMs;
  // The stored samples are changed in place, so `newest` and `fills` signal that newer or older samples were added.
  const paceMs = stepMs > MINUTE_MS ? stepMs : Math.min(stepMs, SLOWEST_INTERVAL_MS);
  const newest = useStore(history.state, () =>
    Math.floor(Math.max(0, ...servers.map((name) => history.latestAt(name) ?? 0)) / paceMs),
  );
  const fills = useStore(history.state, (state) => servers.map((name) => state.fills.get(name)).join());
  const whole = useMemo(() => {
    void newest;
    void fills;
    return continued(reply ?? unanswered(query), query, (name, from) => history.since(name, from));
  }, [reply, query, history, newest, fills]);
  return {
    ...{ reply: whole, isAnswered: reply !== undefined, error },
    askAgain: () => past.series.askAgain(query),
  };
}
/** Slowest sampler interval in ms. A bucket whose first sample came within this time counts as sampled from its beginning. */
const SLOWEST_INTERVAL_MS = 5000;

/** Empty answer, used until the history has answered. */
const unanswered = (query: SeriesQuery): SeriesReply => ({
  ...bucketSpan(query, query.maxBuckets, SECOND_MS),
  ...{ resolution: 'sample', absences: [], limits: [] },
  series: query.servers.flatMap((server) =>
    query.metrics.map((metric) => ({ server, metric, index: [], min: [], avg: [], max: [] })),
  ),
});

/**
 * Appends the samples that were measured since an answer. The last bucket of the answer was incomplete, so the samples replace
 * it if they reach back to its beginning.
 */
export function continued(
  reply: SeriesReply,
  { to }: Pick<SeriesQuery, 'to'>,
  since: (server: string, from: number) => readonly Sample[],
): SeriesReply {
  const { from, stepMs } = reply;
  const last = reply.series.reduce((latest, { index }) => Math.max(latest, index.at(-1) ?? 0), 0);
  const span = { from: from + last * stepMs, to: Math.max(to, reply.to), stepMs };
  const samples = new Map(reply.series.map(({ server }) => [server, since(server, span.from)]));
  const series = reply.series.map((one) => {
    const tail = samples.get(one.server) ?? [];
    const [first] = tail;
    if (first === undefined) return one;
    const hasLast = one.index.at(-1) === last;
    const start = hasLast && first.at >= span.from + SLOWEST_INTERVAL_MS ? last + 1 : last;
    const newer = seriesOfSamples(one.server, one.metric, tail, { ...span, from: from + start * stepMs });
    const isReplaced = hasLast && start === last && newer.index[0] === 0;
    const join = (older: readonly number[], added: readonly number[]) => [
      ...(isReplaced ? older.slice(0, -1) : older),
      ...added,
    ];
    const index = newer.index.map((step) => start + step);
    return {
      ...{ ...one, index: join(one.index, index), min: join(one.min, newer.min) },
      ...{ avg: join(one.avg, newer.avg), max: join(one.max, newer.max) },
    };
  });
  return { ...reply, to: span.to, series };
}
/** Time in ms for which the query for the last hour stays the same. During that time only its answer is refreshed. */
const HELD_MS = 5 * MINUTE_MS;

/** Returns the start of the oldest bucket of these servers within the last hour; undefined if there is none. */
export function useOldestAt(servers: readonly string[]): number | undefined {
  const window = useLastHour();
  const { reply } = useSeries({ servers, window, ...byMinute });
  return useMemo(() => {
    const first = reply.series.flatMap(({ index }) => index[0] ?? []);
    return first.length === 0 ? undefined : reply.from + Math.min(...first) * reply.stepMs;
  }, [reply]);
}

/** Returns the time window of the last hour, extended at its end by up to `HELD_MS`, so that it stays the same for that long. */
export function lastHourAt(now: number): TimeWindow {
  const to = (Math.floor(now / HELD_MS) + 1) * HELD_MS;
  return { from: to - HOUR_MS - HELD_MS, to };
}

export function useLastHour(): TimeWindow {
  const heldAt = useNow((now) => Math.floor(now / HELD_MS) * HELD_MS);
  return useMemo(() => lastHourAt(heldAt), [heldAt]);
}

/** Parts of a query for the last hour in buckets of one minute. */
export const byMinute = {
  metrics: ['memoryBytes', 'cpuPercent', 'rttMs'],
  maxBuckets: (HOUR_MS + HELD_MS) / MINUTE_MS + 1,
} as const;
