import { useEffect, useLayoutEffect, useMemo, useState } from 'react';
import type { PanelEvent } from '../../shared/domain.ts';
import type { ErrorReport } from '../../shared/error-codes.ts';
import type { PastEventsReply, Span } from '../../shared/history.ts';
import { useServices, useTask } from '../services.ts';
import { askOlderEvents, type EventFilter, isAskedFor, mergeEvents } from '../store/older-events.ts';

/** Maximum number of events in the page, because each has a row. */
const MOST_EVENTS = 2500;

export interface OlderEvents {
  /** Events of the requested servers, oldest first and without gaps, so that events of one cause can be grouped. */
  readonly events: readonly PanelEvent[];
  /** Older events of some kinds only, oldest first. Each gets its own row, because events of other kinds between are missing. */
  readonly single: readonly PanelEvent[];
  /** True if there may be older events. */
  readonly hasMore: boolean;
  /** True if `MOST_EVENTS` is reached. */
  readonly isFull: boolean;
  /** True if the history was queried for the current filter and time. */
  readonly isBegun: boolean;
  readonly isAsking: boolean;
  readonly error: ErrorReport | undefined;
  /** Requests the page of events before the oldest loaded event. */
  readonly ask: () => void;
}

/** Time span whose events are shown. */
export interface EventTime {
  readonly window: Span;
  /** Key of the chosen time span. The key of a live time window stays the same while the window moves. */
  readonly key: string;
  /** True if the time span has events older than the given ones. */
  readonly hasMore: boolean;
}

interface Pages {
  /** Filter and time of the events, as text. */
  readonly key: string;
  /**
   * Events of the history and events pushed since the query. The pushed ones are kept here because the store drops its oldest.
   */
  readonly events: readonly PanelEvent[];
  readonly hasMore: boolean;
}

const noPages: Pages = { key: '', events: [], hasMore: false };
const none: readonly PanelEvent[] = [];

/**
 * Loads, page by page, the events of a time span that are older than the given ones. Loading restarts if the filter or the time
 * changes.
 * @param live events of all servers, oldest first
 */
export function useOlderEvents(
  live: readonly PanelEvent[],
  filter: EventFilter,
  time: EventTime,
): OlderEvents {
  const { api, panel } = useServices();
  const { server, kinds } = filter;
  const key = JSON.stringify([server, kinds, time.key]);
  const [pages, setPages] = useState(noPages);
  const { status, run, reset } = useTask<PastEventsReply>();
  const isBegun = pages.key === key;
  useEffect(
    () => () => {
      reset();
      setPages(noPages);
    },
    [reset, key],
  );
  // This is a layout effect because an event pushed between the rendering of the pages and a later subscription would be
  // missed.
  useLayoutEffect(() => {
    if (!isBegun) return undefined;
    return panel.subscribe(({ events: pushed }, { events: before }) => {
      if (pushed === before) return;
      // There is a gap if the app window was hidden for long and missed the events in between.
      const isGap = (pushed[0]?.id ?? '') > (before.at(-1)?.id ?? '');
      const news = pushed.filter((event) => isAskedFor(event, { server, kinds }));
      setPages((known) => (isGap ? noPages : withNewest(known, news)));
    });
  }, [isBegun, panel, server, kinds]);

  const older = isBegun ? pages.events : none;
  const [events, single] = useMemo(() => {
    if (kinds === null) return [mergeEvents(live, older), none];
    const known = new Set(live.map(({ id }) => id));
    return [live, older.filter(({ id }) => !known.has(id))];
  }, [live, older, kinds]);

  const ask = async () => {
    const oldest = leastId([...older, ...live]);
    const settled = await run(() => askOlderEvents(api, filter, time.window, oldest));
    if (settled?.phase !== 'done') return;
    const { events: page, hasMore } = settled.value;
    const here = panel.getState().events.filter((event) => isAskedFor(event, filter));
    setPages({ key, events: mergeEvents(mergeEvents(here, older), page), hasMore });
  };
  return {
    events,
    single,
    isBegun,
    hasMore: isBegun ? pages.hasMore : time.hasMore,
    isFull: older.length >= MOST_EVENTS,
    isAsking: status?.phase === 'pending',
    error: status?.phase === 'failed' ? status.error : undefined,
    ask: () => void ask(),
  };
}

/** Returns the lowest id of the events. Ids are used because times are out of order if the clock was set back. */
const leastId = (events: readonly PanelEvent[]): string | undefined =>
  events.reduce<string | undefined>(
    (least, { id }) => (least === undefined || id < least ? id : least),
    undefined,
  );

function withNewest({ key, events, hasMore }: Pages, news: readonly PanelEvent[]): Pages {
  const all = mergeEvents(news, events);
  return { key, events: all.slice(-MOST_EVENTS), hasMore: hasMore || all.length > MOST_EVENTS };
}
