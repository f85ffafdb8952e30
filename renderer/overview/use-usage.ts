import { useMemo } from 'react';
import type { CallSeriesReply, HistoryMetric, SeriesReply } from '../../shared/history.ts';
import { usePast } from '../charts/use-past.ts';
import { byMinute, useLastHour, useOldestAt, useSeries } from '../charts/use-series.ts';
import { type Services, useNow, usePanel, useServices } from '../services.ts';
import { stackUsage, type UsageSeries, type UsageStack } from './usage-stack.ts';
import type { UsageKind } from './usage-words.ts';
import type { PanelEvent } from '../../shared/domain.ts';
import { MINUTE_MS } from '../../shared/units.ts';
/** Time in ms between two redraws of the tiles. */
const REDRAW_MS = 5000;
/** Longest time span in ms drawn in steps of five seconds. Longer ones are drawn in the history's steps of a minute. */
const SHORT_SPAN_MS = 5 * MINUTE_MS;
const SHORT_BUCKETS = (2 * SHORT_SPAN_MS) / REDRAW_MS + 1;

interface Usage {
  readonly stacks: Readonly<Record<UsageKind, UsageStack>>;
  /** Positions of restarts on the time axis, from 0 to 1. */
  readonly restarts: readonly number[];
  readonly spanMs: number;
}

/** Resource use of all servers over the last hour at most, updated every few seconds. */
export function useUsage(): Usage {
  const services = useServices();
  const names = usePanel((state) => state.names);
  const drawnAt = useNow((now) => Math.floor(now / REDRAW_MS) * REDRAW_MS);
  const oldestAt = useOldestAt(names);
  const window = useMemo(() => usageWindow(oldestAt, drawnAt), [oldestAt, drawnAt]);
  const { reply } = useSeries({ servers: names, ...useQuestion(window) });
  const calls = useCallsOfEach(services, names);
  return useMemo(() => {
    const { panel } = services;
    const stackOf = (metric: HistoryMetric) => stackUsage(seriesIn(reply, metric, window), window.steps);
    const memory = stackOf('memoryBytes');
    const { events, servers } = panel.getState();
    const minutes = minuteWindow(window, drawnAt);
    const watched = watchedMinutes(memory.isKnown, window, minutes);
    const stacks = {
      memory,
      cpu: stackOf('cpuPercent'),
      calls: stackUsage(
        names.map((name) =>
          callSeries(name, calls(name), minutes, watched, servers.get(name)?.recentCalls?.calls),
        ),
        minutes.steps,
      ),
    };
    const restarts = restartTicks(events, window);
    return { stacks, restarts, spanMs: window.spanMs };
  }, [services, names, reply, window, drawnAt, calls]);
}

/**
 * Returns the time window and resolution of the query for the tiles: the last hour in steps of one minute, or for a short time
 * span, ten minutes in steps of five seconds.
 */
function useQuestion({ bucketMs }: UsageWindow) {
  const hour = useLastHour();
  const isShort = bucketMs === REDRAW_MS;
  return useMemo(
    () =>
      isShort
        ? {
            ...byMinute,
            window: { from: hour.to - 2 * SHORT_SPAN_MS, to: hour.to },
            maxBuckets: SHORT_BUCKETS,
          }
        : { ...byMinute, window: hour },
    [isShort, hour],
  );
}

/** Returns a function that takes a server's name and returns its calls in the last hour. */
export function useCallsOfEach({ past }: Pick<Services, 'past'>, names: readonly string[]) {
  const hour = useLastHour();
  const query = useMemo(
    () => (names.length === 0 ? undefined : { ...hour, maxBuckets: byMinute.maxBuckets, eachOf: [...names] }),
    [hour, names],
  );
  const { reply } = usePast(past.calls, query, 'all servers');
  return useMemo(() => {
    const known = new Map(reply?.servers?.map(({ server, buckets }) => [server, buckets]));
    const { from = 0, stepMs = 1 } = reply ?? {};
    return (server: string) => ({ from, stepMs, buckets: known.get(server) ?? [] });
  }, [reply]);
}

/** Possible spans in ms, shortest first. */
const spansMs: readonly number[] = [2, 5, 15, 60].map((minutes) => minutes * MINUTE_MS);

/** Time span shown, in whole buckets; the last bucket may be incomplete. */
interface UsageWindow {
  readonly spanMs: number;
  readonly bucketMs: number;
  /** Index of the first bucket, counted from the epoch. */
  readonly first: number;
  readonly steps: number;
}

/** Window that ends now and covers all data since `oldestAt`, an hour at most. */
export function usageWindow(oldestAt: number | undefined, now: number): UsageWindow {
  const age = oldestAt === undefined ? 0 : now - oldestAt;
  const spanMs = spansMs.find((span) => age <= span) ?? spansMs.at(-1)!;
  return windowOf(spanMs, spanMs <= SHORT_SPAN_MS ? REDRAW_MS : MINUTE_MS, now);
}

/** The same time span in buckets of a minute, because calls are counted by the minute. */
export const minuteWindow = ({ spanMs }: UsageWindow, now: number): UsageWindow =>
  windowOf(spanMs, MINUTE_MS, now);

function windowOf(spanMs: number, bucketMs: number, now: number): UsageWindow {
  const steps = Math.round(spanMs / bucketMs);
  // A bucket that begins exactly now is excluded, because it is still empty and would appear as a gap at the edge.
  return { spanMs, bucketMs, steps, first: Math.floor((now - 1) / bucketMs) - steps + 1 };
}

/** Values of one figure for each server, by step of the time window. */
function seriesIn(
  { from, stepMs, series }: SeriesReply,
  metric: HistoryMetric,
  { bucketMs, first, steps }: UsageWindow,
): readonly UsageSeries[] {
  return series
    .filter((one) => one.metric === metric)
    .map(({ server, index, avg }) => {
      const figures = new Array<number | undefined>(steps).fill(undefined);
      index.forEach((bucket, place) => {
        const step = Math.floor((from + bucket * stepMs) / bucketMs) - first;
        if (step >= 0 && step < steps) figures[step] = avg[place];
      });
      return { server, figures };
    });
}

/**
 * Returns the calls of a server per minute. In a minute without calls, the value is 0 if the panel was measuring then;
 * otherwise it is a gap.
 * @param isWatched whether the panel measured any server, for each minute of the time span
 * @param recent calls within the last 60 seconds; they replace the last minute, whose count is too low until the minute has
 * ended
 */
export function callSeries(
  server: string,
  called: Pick<CallSeriesReply, 'from' | 'stepMs' | 'buckets'>,
  { first, steps }: UsageWindow,
  isWatched: readonly boolean[],
  recent?: number,
): UsageSeries {
  const calls = new Map(
    called.buckets.map(({ index, calls: count }) => [
      Math.floor((called.from + index * called.stepMs) / MINUTE_MS),
      count,
    ]),
  );
  if (recent !== undefined) calls.set(first + steps - 1, recent);
  return {
    server,
    figures: Array.from(
      { length: steps },
      (_, step) => calls.get(first + step) ?? (isWatched[step] === true ? 0 : undefined),
    ),
  };
}

/** Returns whether the panel measured any server, for each minute, computed from the same information for shorter buckets. */
export function watchedMinutes(
  isKnown: readonly boolean[],
  window: UsageWindow,
  minutes: UsageWindow,
): readonly boolean[] {
  const watched = new Set(
    isKnown.flatMap((known, step) =>
      known ? [Math.floor(((window.first + step) * window.bucketMs) / MINUTE_MS)] : [],
    ),
  );
  return Array.from({ length: minutes.steps }, (_, step) => watched.has(minutes.first + step));
}

/** Returns the positions of all restarts within the time span, from 0 (left edge) to 1 (right edge). */
export function restartTicks(
  events: readonly Pick<PanelEvent, 'kind' | 'at'>[],
  { first, bucketMs, steps }: UsageWindow,
): readonly number[] {
  const from = first * bucketMs;
  const places = events
    .filter(({ kind }) => kind === 'restarted')
    .map(({ at }) => Math.round(((at - from) / (steps * bucketMs)) * 200) / 200);
  return [...new Set(places)].filter((place) => place >= 0 && place <= 1);
}
