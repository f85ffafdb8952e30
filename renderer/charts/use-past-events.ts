import { useMemo } from 'react';
import type { EventKind, PanelEvent } from '../../shared/domain.ts';
import type { PastEventsQuery } from '../../shared/history.ts';
import { usePanel, useServices } from '../services.ts';
import { mergeEvents } from '../store/older-events.ts';
import type { TimeWindow } from './downsample.ts';
import { breakingKinds } from './run-ends.ts';
import { usePast } from './use-past.ts';

/** Kinds of events that concern all servers and appear on each server's page, unlike other events of clients or the panel. */
const panelEventKinds: readonly EventKind[] = ['panel-started', 'panel-quit', 'system-resumed'];

/** Returns the events of a server, and those that concern all servers, as far as the window has loaded them. */
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

/** Maximum number of events requested at once. If a time window has more, the newest are returned. */
const MOST_EVENTS = 1000;

interface PastEvents {
  /** Events that the main process has pushed to the window, together with those from the history, oldest first. */
  readonly events: readonly PanelEvent[];
  /** Whether the history has older events of the time window that were not returned. */
  readonly hasMore: boolean;
}

/**
 * Returns the events of a server and of the panel itself. If the time window begins before the events that the main process has
 * pushed to the window, the older ones are queried from the history.
 * @param server undefined for the events of all servers that may cause a gap in a curve
 * @param live pushed events of the server and of no particular server, oldest first
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
