import { useEffect, useMemo } from 'react';
import type { ServerView } from '../../shared/domain.ts';
import type { ErrorReport } from '../../shared/error-codes.ts';
import type { CallSeriesQuery, CallSeriesReply } from '../../shared/history.ts';
import { useServices } from '../services.ts';
import type { TimeWindow } from './downsample.ts';
import { PAST_BUCKETS } from './series.ts';
import { usePast } from './use-past.ts';
import { byMinute, useLastHour } from './use-series.ts';

/** Query for the calls of the last hour in buckets of a minute. */
export const hourOfCalls = (server: string, { from, to }: TimeWindow): CallSeriesQuery => ({
  ...{ from, to, server, maxBuckets: byMinute.maxBuckets },
});

/**
 * Returns the calls to a server in the last hour; undefined until they have loaded. They are queried again when the server
 * reports new calls.
 * @param server undefined if no calls are needed
 */
export function useHourOfCalls(server: ServerView | undefined): CallSeriesReply | undefined {
  const { past } = useServices();
  const hour = useLastHour();
  const name = server?.name;
  const query = useMemo(() => (name === undefined ? undefined : hourOfCalls(name, hour)), [name, hour]);
  const { reply } = usePast(past.calls, query, name ?? '');
  const recent = server?.recentCalls?.calls;
  useEffect(() => {
    if (query !== undefined && recent !== undefined) past.calls.askAgain(query);
  }, [past, query, recent]);
  return reply;
}

interface CallsOverTime {
  /** Calls in the time window; those of the last hour while the answer is pending or if that hour contains the whole window. */
  readonly shown: CallSeriesReply | undefined;
  readonly hour: CallSeriesReply | undefined;
  readonly error: ErrorReport | undefined;
  readonly askAgain: () => void;
}

/** Returns the calls to a server over a time window. @param server undefined if no calls are needed */
export function useCalls(server: ServerView | undefined, { from, to }: TimeWindow): CallsOverTime {
  const { past } = useServices();
  const hour = useHourOfCalls(server);
  const isPast = from < useLastHour().from;
  const name = server?.name;
  const query = useMemo(
    () =>
      name !== undefined && isPast
        ? { server: name, maxBuckets: PAST_BUCKETS, from: Math.max(0, Math.floor(from)), to: Math.ceil(to) }
        : undefined,
    [name, isPast, from, to],
  );
  const { reply, error } = usePast(past.calls, query, name ?? '');
  return {
    ...{ shown: reply ?? hour, hour, error },
    askAgain: () => {
      if (query !== undefined) past.calls.askAgain(query);
    },
  };
}
