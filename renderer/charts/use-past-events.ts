import { useMemo } from 'react';
import type { EventKind, PanelEvent } from '../../shared/domain.ts';
import type { PastEventsQuery } from '../../shared/history.ts';
import { usePanel, useServices } from '../services.ts';
import { mergeEvents } from '../store/older-events.ts';
import type { TimeWindow } from './downsample.ts';
import { breakingKinds } from './run-ends.ts';
import { usePast } from './use-past.ts';

/** Events without a server that concern all servers. Other events of clients and the panel are not shown on a server's page. */
const panelEventKinds: readonly EventKind[] = ['panel-started', 'panel-quit', 'system-resumed'];

/** Loaded events of one server, and those that concern all servers. */
export function useEventsOf(name: string): readonly PanelEvent[] {
  const events = usePanel((state) => state.events);
  return useMemo(
    () =>
      events.filter(
        ({ server, kind }) => server === name || (server === null && panelEventKinds.includes(kind)),
      ),
    [events, name],
  );
}

/** Maximum events requested at once, the newest of the time window. */
const MOST_EVENTS = 1000;

interface PastEvents {
  /** Pushed events and those of the history, oldest first. */
  readonly events: readonly PanelEvent[];
  /** Whether the history has older events of this time that were not returned. */
  readonly hasMore: boolean;
}

/**
 * Events of a server and of the panel itself, including those in the time window that are older than the pushed ones.
 * @param server undefined for the events of all servers that may break a curve @param live events of the server and of no particular
 * server, oldest first
 */
export function usePastEvents(
  server: string | undefined,
  live: readonly PanelEvent[],
  window: TimeWindow,
): PastEvents {
  const { past } = useServices();
  const knownFrom = usePanel(({ events }) => events[0]?.at);
  const spanMs = window.to - window.from;
  // The query covers more than the time window, so that a live window does not need a new query at each step.
  const from = Math.max(0, Math.floor(window.from / spanMs) * spanMs);
  const isKnown = knownFrom !== undefined && knownFrom <= window.from;
  const [ofServer, ofPanel] = useMemo(() => {
    const question = (which: Pick<PastEventsQuery, 'server' | 'kinds'>): PastEventsQuery | undefined =>
      isKnown ? undefined : { from, to: from + 2 * spanMs, ...which, limit: MOST_EVENTS };
    return server === undefined
      ? [question({ kinds: [...breakingKinds] }), undefined]
      : [question({ server }), question({ server: null, kinds: [...panelEventKinds] })];
  }, [isKnown, from, spanMs, server]);
  const { reply: own } = usePast(past.events, ofServer, server ?? '');
  const { reply: common } = usePast(past.events, ofPanel, '');
  return useMemo(
    () => ({
      events: mergeEvents(live, [...(own?.events ?? []), ...(common?.events ?? [])]),
      hasMore: (own?.hasMore ?? false) || (common?.hasMore ?? false),
    }),
    [live, own, common],
  );
}
