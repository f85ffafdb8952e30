import type { CallUsageQuery } from '../../shared/call-usage.ts';
import type { CallSeriesQuery, PastEventsQuery, SeriesQuery } from '../../shared/history.ts';
import { createStore } from 'zustand/vanilla';
import type { ControlPanelApi } from '../../shared/ipc-contract.ts';
import type { Called } from './called.ts';
import type { ClockStore } from './clock-store.ts';
import { PastStore } from './past-store.ts';

const LEAST_REFRESH_MS = 5000;
/** The answer may cover every hour of 90 days. */
const USAGE_REFRESH_MS = 30_000;
const MOST_REFRESH_MS = 5 * 60_000;
/** Milliseconds after which the history has all events of earlier app runs. */
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
    /** How each server was called lately, as the list of servers has read it. */
    called: createStore<ReadonlyMap<string, Called>>(() => new Map()),
    events: new PastStore(
      (query: PastEventsQuery) => api.getPastEvents(query),
      // New events are pushed; the answer adds only events from before the pushes, which the history of a panel that has just
      // started may still be reading from the journal.
      () => (clock.getState().now - openedAt < STARTING_MS ? LEAST_REFRESH_MS : MOST_REFRESH_MS),
      clock,
    ),
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
