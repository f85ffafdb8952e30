import { useMemo } from 'react';
import type { ClientView } from '../../shared/gateway.ts';
import { CLIENT_MINUTES } from '../../shared/gateway-use.ts';
import type { CallSeriesQuery } from '../../shared/history.ts';
import { DAY_MS, MINUTE_MS } from '../../shared/units.ts';
import { usePast } from '../charts/use-past.ts';
import { byMinute, useLastHour } from '../charts/use-series.ts';
import { useNow, usePanelStart, useServices } from '../services.ts';

/** Length of a bucket in ms. The start of the query is rounded to it, so that the query changes only once per bucket. */
const STEP_MS = 5 * 60_000;

/**
 * Returns the number of calls of an MCP client in the last 24 hours, and how many of them failed. Both come from the history,
 * which includes earlier app runs. The history's answer may be some minutes old. If the panel started within the day, its own
 * counts are used when they are higher.
 */
export function useDayOfCalls({ id, calls, errors }: ClientView): {
  readonly calls: number;
  readonly errors: number;
} {
  const { past } = useServices();
  const to = useNow((now) => (Math.floor(now / STEP_MS) + 1) * STEP_MS);
  const startedAt = usePanelStart();
  const query = useMemo(
    (): CallSeriesQuery => ({ from: to - DAY_MS, to, client: id, maxBuckets: DAY_MS / STEP_MS }),
    [id, to],
  );
  const { reply } = usePast(past.calls, query, id);
  const isOfToday = startedAt === undefined || startedAt >= to - DAY_MS;
  const own = isOfToday ? { calls, errors } : { calls: 0, errors: 0 };
  return (reply?.buckets ?? []).length === 0
    ? own
    : {
        calls: Math.max(own.calls, sum(reply?.buckets.map((bucket) => bucket.calls))),
        errors: Math.max(own.errors, sum(reply?.buckets.map((bucket) => bucket.errors))),
      };
}

/**
 * Returns the number of calls of an MCP client in each minute of the last hour, oldest first, and how many failed in total. For
 * minutes before the panel started, the counts come from the history.
 */
export function useHourOfCalls({ id, perMinute, hourErrors }: ClientView): {
  readonly perMinute: readonly number[];
  readonly errors: number;
} {
  const { past } = useServices();
  const hour = useLastHour();
  const startedAt = usePanelStart();
  const isNew = startedAt !== undefined && startedAt > hour.from;
  const query = useMemo(
    (): CallSeriesQuery | undefined =>
      isNew ? { ...hour, client: id, maxBuckets: byMinute.maxBuckets } : undefined,
    [isNew, hour, id],
  );
  const { reply } = usePast(past.calls, query, `hour ${id}`);
  const last = useNow((now) => Math.floor(now / MINUTE_MS));
  return useMemo(() => {
    if (reply === undefined || startedAt === undefined) return { perMinute, errors: hourErrors };
    const first = last + 1 - CLIENT_MINUTES;
    const counts = Array.from(
      { length: CLIENT_MINUTES },
      (_, place) => perMinute.at(place - CLIENT_MINUTES) ?? 0,
    );
    let errors = hourErrors;
    for (const bucket of reply.buckets) {
      const minute = Math.floor((reply.from + bucket.index * reply.stepMs) / MINUTE_MS);
      if (minute < first || minute >= Math.floor(startedAt / MINUTE_MS)) continue;
      counts[minute - first] = bucket.calls;
      errors += bucket.errors;
    }
    return { perMinute: counts, errors };
  }, [reply, startedAt, last, perMinute, hourErrors]);
}

const sum = (counts: readonly number[] = []): number => counts.reduce((all, count) => all + count, 0);
