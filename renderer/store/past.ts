import type { CallUsage, CallUsageQuery } from '../../shared/call-usage.ts';
import type {
  CallSeriesQuery,
  CallSeriesReply,
  PastEventsQuery,
  PastEventsReply,
  SeriesQuery,
  SeriesReply,
} from '../../shared/history.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ControlPanelApi } from '../../shared/ipc-contract.ts';
import type { Called } from './called.ts';
import { createPastStore, type PastStore, type PastStoreOptions } from './past-store.ts';

const LEAST_REFRESH_MS = 5000;
/** The answer may cover every hour of 90 days. */
const USAGE_REFRESH_MS = 30_000;
const MOST_REFRESH_MS = 5 * 60_000;
/** Milliseconds after which the history has all events of earlier app runs. */
const STARTING_MS = 60_000;

/** History of all servers, for charts of any time span. */
export interface Past {
  readonly series: PastStore<SeriesQuery, SeriesReply>;
  readonly calls: PastStore<CallSeriesQuery, CallSeriesReply>;
  readonly events: PastStore<PastEventsQuery, PastEventsReply>;
  /** Calls by tool, client or server. */
  readonly callUsage: PastStore<CallUsageQuery, CallUsage>;
  /** How each server was called lately, as the list of servers has read it. */
  readonly called: StoreApi<ReadonlyMap<string, Called>>;
}

type PastApi = Pick<ControlPanelApi, 'getSeries' | 'getCallSeries' | 'getCallUsage' | 'getPastEvents'>;

export function createPast(
  api: PastApi,
  { toReport, clock }: Pick<PastStoreOptions<SeriesQuery, unknown>, 'toReport' | 'clock'>,
): Past {
  const openedAt = clock.getState().now;
  return {
    series: createPastStore<SeriesQuery, SeriesReply>({
      ask: (query) => api.getSeries(query),
      refreshMs: bucketPace,
      toReport,
      clock,
    }),
    calls: createPastStore<CallSeriesQuery, CallSeriesReply>({
      ask: (query) => api.getCallSeries(query),
      refreshMs: callPace,
      toReport,
      clock,
    }),
    callUsage: createPastStore<CallUsageQuery, CallUsage>({
      ask: (query) => api.getCallUsage(query),
      refreshMs: () => USAGE_REFRESH_MS,
      toReport,
      clock,
    }),
    called: createStore<ReadonlyMap<string, Called>>(() => new Map()),
    events: createPastStore<PastEventsQuery, PastEventsReply>({
      ask: (query) => api.getPastEvents(query),
      // New events are pushed; the answer adds only events from before the pushes, which the history of a panel that has just
      // started may still be reading from the journal.
      refreshMs: () => (clock.getState().now - openedAt < STARTING_MS ? LEAST_REFRESH_MS : MOST_REFRESH_MS),
      toReport,
      clock,
    }),
  };
}

/**
 * Interval in ms at which the answer is refreshed: twice while a bucket fills, because the bucket's average changes, and
 * within the limits.
 */
const bucketPace = ({ stepMs }: { readonly stepMs: number }): number =>
  Math.min(MOST_REFRESH_MS, Math.max(LEAST_REFRESH_MS, stepMs / 2));

/** Interval in ms for calls, which are refreshed more often because each call is a visible event. */
const callPace = (reply: { readonly stepMs: number }): number => bucketPace(reply) / 2;
