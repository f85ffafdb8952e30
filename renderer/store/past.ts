import type { CallUsageQuery } from '../../shared/call-usage.ts';
import type { CallSeriesQuery, PastEventsQuery, SeriesQuery } from '../../shared/history.ts';
import { createStore } from 'zustand/vanilla';
import type { ControlPanelApi } from '../../shared/ipc-contract.ts';
import type { Called } from './called.ts';
import type { ClockStore } from './clock-store.ts';
import { PastStore } from './past-store.ts';

const LEAST_REFRESH_MS = 5000;
/** Interval for call counts; longer than `LEAST_REFRESH_MS`, because the answer may cover every hour of 90 days. */
const USAGE_REFRESH_MS = 30_000;
const MOST_REFRESH_MS = 5 * 60_000;
/** Time in ms after the start of the page after which the history contains all events of earlier app runs. */
const STARTING_MS = 60_000;

/** History of all servers, for charts of any time span. */
export type Past = ReturnType<typeof createPast>;

type PastApi = Pick<ControlPanelApi, 'getSeries' | 'getCallSeries' | 'getCallUsage' | 'getPastEvents'>;

export function createPast(api: PastApi, clock: ClockStore) {
  const openedAt = clock.getState().now;
  return {
    series: new PastStore((query: SeriesQuery) => api.getSeries(query), bucketPace, clock),
    calls: new PastStore((query: CallSeriesQuery) => api.getCallSeries(query), callPace, clock),
    /** Calls by tool, client or server. */
    callUsage: new PastStore(
      (query: CallUsageQuery) => api.getCallUsage(query),
      () => USAGE_REFRESH_MS,
      clock,
    ),
    /** Recent calls of each server, as last read by the server list. */
    called: createStore<ReadonlyMap<string, Called>>(() => new Map()),
    events: new PastStore(
      (query: PastEventsQuery) => api.getPastEvents(query),
      // New events are pushed, so an answer only adds events from before the pushes. Shortly after the panel has started, the
      // history may still be reading these older events from the journal.
      () => (clock.getState().now - openedAt < STARTING_MS ? LEAST_REFRESH_MS : MOST_REFRESH_MS),
      clock,
    ),
  };
}

/**
 * Returns the interval in ms at which an answer is refreshed: half the length of a bucket, because the bucket's average changes
 * while it fills. The interval stays within the minimum and the maximum.
 */
const bucketPace = ({ stepMs }: { readonly stepMs: number }): number =>
  Math.min(MOST_REFRESH_MS, Math.max(LEAST_REFRESH_MS, stepMs / 2));

/** Returns the interval in ms at which calls are refreshed: shorter than for other data, because each call is a visible event. */
const callPace = (reply: { readonly stepMs: number }): number => bucketPace(reply) / 2;
