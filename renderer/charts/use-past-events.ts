import { useMemo } from 'react';
import type { EventKind, PanelEvent } from '../../shared/domain.ts';
import type { PastEventsQuery } from '../../shared/history.ts';
import { usePanel, useServices } from '../services.ts';
import { mergeEvents } from '../store/merge-events.ts';
import type { TimeWindow } from './downsample.ts';
import { breakingKinds } from './run-ends.ts';
import { usePast } from './use-past.ts';

/** Events of no server that happen to all of them. What clients and the panel do besides is no news on the page of one. */
const panelEventKinds: readonly EventKind[] = ['panel-started', 'panel-quit', 'system-resumed'];

/** Events of one server that the page has, and those that happened to it with all others. */
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

/** Events that are asked for at once, the newest of the time. */
const MOST_EVENTS = 1000;

export interface PastEvents {
  /** Those that came with the pushes and those of the history, oldest first. */
  readonly events: readonly PanelEvent[];
  /** Whether the time has older ones that are not among them. */
  readonly hasMore: boolean;
}

/**
 * Events of a server and of the panel itself, with those of a window that are older than what the pushes brought.
 * @param server undefined for those of all servers that may break a curve
 * @param live events of the server and of no server in particular, oldest first
 */
export function usePastEvents(
  server: string | undefined,
  live: readonly PanelEvent[],
  window: TimeWindow,
): PastEvents {
  const { past } = useServices();
  const knownFrom = usePanel(({ events }) => events[0]?.at);
  const spanMs = window.to - window.from;
  // The question is for more than the window, so that a window that moves on does not ask anew at each step.
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
