import { useEffect, useMemo, useState } from 'react';
import type { EventKind, PanelEvent } from '../../shared/domain.ts';
import type { ErrorReport } from '../../shared/error-codes.ts';
import type { PastEventsReply } from '../../shared/history.ts';
import { useServices } from '../services.ts';
import { mergeEvents } from '../store/merge-events.ts';
import { EVENTS_KEPT } from '../store/panel-store.ts';
import { useTask } from '../use-task.ts';

/** Time for which events are kept. */
const KEPT_MS = 90 * 24 * 60 * 60_000;
/** Time after now that is asked for, because the clock may have been set back a little since. */
const AHEAD_MS = 60_000;
const PAGE = 500;
/** Events in the page at most, because each has a row. */
const MOST_EVENTS = 2500;

/** Which events are asked for; null for all. */
export interface EventFilter {
  readonly server: string | null;
  readonly kind: EventKind | null;
}

export interface OlderEvents {
  /** Events of the pushes, and those of the pages that were asked for, oldest first. */
  readonly events: readonly PanelEvent[];
  /** Whether there may be older ones. */
  readonly hasMore: boolean;
  /** Whether there is no room for more. */
  readonly isFull: boolean;
  readonly isAsking: boolean;
  readonly error: ErrorReport | undefined;
  /** Asks for the page before the oldest event that is here. */
  readonly ask: () => void;
}

interface Pages {
  /** The filter that they are of. */
  readonly key: string;
  /** Events of the history, and those of the pushes since it was asked, which drop their oldest. */
  readonly events: readonly PanelEvent[];
  readonly hasMore: boolean;
}

const noPages: Pages = { key: '', events: [], hasMore: false };

/**
 * Events that are older than what the pushes brought, page by page. With another filter it begins anew.
 * @param live events of all servers, oldest first
 */
export function useOlderEvents(live: readonly PanelEvent[], { server, kind }: EventFilter): OlderEvents {
  const { api, clock, panel } = useServices();
  const key = JSON.stringify([server, kind]);
  const [pages, setPages] = useState(noPages);
  const { status, run, reset } = useTask<PastEventsReply>();
  useEffect(() => reset(), [reset, key]);
  const isBegun = pages.key === key;
  useEffect(() => {
    if (!isBegun) return undefined;
    return panel.subscribe(({ events: pushed }, { events: before }) => {
      if (pushed !== before) setPages((known) => ({ ...known, events: mergeEvents(pushed, known.events) }));
    });
  }, [isBegun, panel]);
  const older = isBegun ? pages.events : noPages.events;
  const events = useMemo(() => mergeEvents(live, older), [live, older]);

  const ask = async () => {
    const { now } = clock.getState();
    const oldest = events[0]?.id;
    const settled = await run(() =>
      api.getPastEvents({
        ...{ from: Math.max(0, now - KEPT_MS), to: now + AHEAD_MS, limit: PAGE },
        ...(server !== null && { server }),
        ...(kind !== null && { kinds: [kind] }),
        ...(oldest !== undefined && { before: oldest }),
      }),
    );
    if (settled?.phase !== 'done') return;
    const { events: page, hasMore } = settled.value;
    setPages({ key, events: mergeEvents(events, page), hasMore });
  };
  return {
    events,
    hasMore: isBegun ? pages.hasMore : live.length >= EVENTS_KEPT,
    isFull: events.length >= MOST_EVENTS,
    isAsking: status?.phase === 'pending',
    error: status?.phase === 'failed' ? status.error : undefined,
    ask: () => void ask(),
  };
}
