import { useMemo } from 'react';
import type { ClientView } from '../../shared/gateway.ts';
import type { CallSeriesQuery } from '../../shared/history.ts';
import { usePast } from '../charts/use-past.ts';
import { useNow, usePanel, useServices } from '../services.ts';

const DAY_MS = 86_400_000;
/** Length of a bucket, and the time for which the query stays the same. */
const STEP_MS = 5 * 60_000;

/**
 * Calls of an MCP client in the last 24 hours, and how many failed, from the history, which includes earlier app runs. The
 * history's answer may be some minutes old, so the counts are never below those of the panel if it started within the day.
 */
export function useDayOfCalls({ id, calls, errors }: ClientView): {
  readonly calls: number;
  readonly errors: number;
} {
  const { past } = useServices();
  const to = useNow((now) => (Math.floor(now / STEP_MS) + 1) * STEP_MS);
  const startedAt = usePanel((state) => state.events.findLast(({ kind }) => kind === 'panel-started')?.at);
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

const sum = (counts: readonly number[] = []): number => counts.reduce((all, count) => all + count, 0);
