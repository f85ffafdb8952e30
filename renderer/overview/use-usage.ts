import { useMemo } from 'react';
import type { HistoryMetric } from '../../shared/history.ts';
import { usePast } from '../charts/use-past.ts';
import { byMinute, useLastHour, useOldestAt, useSeries } from '../charts/use-series.ts';
import { useNow, usePanel, useServices, type Services } from '../services.ts';
import { stackUsage, type UsageStack } from './usage-stack.ts';
import {
  callSeries,
  minuteWindow,
  REDRAW_MS,
  restartTicks,
  SHORT_SPAN_MS,
  type UsageWindow,
  seriesIn,
  usageWindow,
  watchedMinutes,
} from './usage-window.ts';
import type { UsageKind } from './usage-words.ts';

const SHORT_BUCKETS = (2 * SHORT_SPAN_MS) / REDRAW_MS + 1;

export interface Usage {
  readonly stacks: Readonly<Record<UsageKind, UsageStack>>;
  /** Positions of restarts on the time axis, from 0 to 1. */
  readonly restarts: readonly number[];
  readonly spanMs: number;
}

/** Use by all servers over the last hour at most, updated every few seconds. */
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

/** Part of the query for a window: the last hour by the minute, or a shorter time in the steps of the tile. */
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

/** Returns a function that finds the calls of the last hour to a server. */
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
