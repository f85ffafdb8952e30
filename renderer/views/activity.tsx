import { NativeSelect } from '@mantine/core';
import { useCallback, useMemo, type ReactNode } from 'react';
import type { EventKind, PanelEvent } from '../../shared/domain.ts';
import type { PastEventsQuery } from '../../shared/history.ts';
import type { TimeWindow } from '../charts/downsample.ts';
import { SpanBar } from '../charts/span-bar.tsx';
import { usePast } from '../charts/use-past.ts';
import { useSpanWindow, type SpanWindow } from '../charts/use-span-window.ts';
import { EventList } from '../events/event-log.tsx';
import { OlderEventsButton } from '../events/older-events.tsx';
import { useOlderEvents } from '../events/use-older-events.ts';
import { namedEventKinds } from '../format/event-words.ts';
import { formatCount, formatPlural } from '../format/figures.ts';
import { useNow, usePanel, useServices, useView } from '../services.ts';
import { mergeEvents } from '../store/merge-events.ts';
import { keptSpan } from '../store/kept-span.ts';
import type { EventFilter } from '../store/older-events.ts';
import { Segments } from '../ui/segments.tsx';
import { Audit } from './audit.tsx';
import { Page } from '../ui/page.tsx';

const ALL = '';
const MINUTE_MS = 60_000;

const halves = [
  { value: 'events', label: 'Events' },
  { value: 'calls', label: 'Calls' },
] as const;

/** What happened: events of all servers, or calls of clients. */
export function Activity() {
  const { view } = useServices();
  const half = useView((state) => state.activityHalf);
  const head = (
    <Segments
      name="Activity of"
      value={half}
      choices={halves}
      onChange={(activityHalf) => view.setState({ activityHalf })}
    />
  );
  return half === 'calls' ? <Audit head={head} /> : <Events head={head} />;
}

/** Events of all servers, filtered by server and kind. */
function Events({ head }: { readonly head: ReactNode }) {
  const { server, kind } = useEventFilter();
  const span = useSpanWindow(NO_SERVERS);
  const shown = useShownTime(span);
  const pushed = usePanel((state) => state.events);
  const live = useEventsIn(shown, pushed);
  const older = useOlderEvents(live, { server, kind });
  const { events: all, single, hasMore, isBegun, isAsking } = older;
  const isAskedFor = useCallback(
    (event: PanelEvent) =>
      (server === null || event.server === server) &&
      (kind === null || event.kind === kind) &&
      (shown === undefined || (event.at >= shown.from && event.at < shown.to)),
    [server, kind, shown],
  );
  const loaded = useMemo(() => single.length + all.filter(isAskedFor).length, [single, all, isAskedFor]);
  const kept = useKeptCount({ server, kind }, shown, all, isAskedFor) ?? loaded;
  return (
    <Page
      title="Activity"
      hasCharts
      note={
        kept > loaded
          ? `${formatPlural(kept, 'event')} · ${formatCount(loaded)} loaded`
          : formatPlural(loaded, 'event')
      }
      tools={
        <>
          <EventFilterFields />
          {head}
        </>
      }
    >
      <SpanBar {...span} bucketMs={undefined} />
      <EventList
        key={`${server ?? ''} ${kind ?? ''}`}
        events={all}
        isAskedFor={isAskedFor}
        single={single}
        isPast={isBegun || isAsking}
        hasServer
        foot={<OlderEventsButton older={older} canChoose={server === null || kind === null} />}
        emptyWords={
          all.length === 0
            ? 'Nothing has happened yet.'
            : hasMore && !isBegun
              ? `Nothing of this kind is among the last ${formatPlural(live.length, 'event')}.`
              : 'Nothing of this kind is among the events that are kept.'
        }
      />
    </Page>
  );
}

const NO_SERVERS: readonly string[] = [];

/** The time that was chosen, in whole minutes, so that a live one seldom changes; undefined while none was. */
function useShownTime({ window, liveMs }: SpanWindow): TimeWindow | undefined {
  const isChosen = useView(({ span: { choice } }) => choice.kind === 'still' || choice.spanMs !== undefined);
  const from = Math.floor(window.from / MINUTE_MS) * MINUTE_MS;
  const next = useNow((now) => (Math.floor(now / MINUTE_MS) + 2) * MINUTE_MS);
  const to = liveMs === undefined ? Math.ceil(window.to / MINUTE_MS) * MINUTE_MS : next;
  return useMemo(() => (isChosen ? { from, to } : undefined), [isChosen, from, to]);
}

/** Most events of a chosen time that are read at once, the newest. */
const MOST_EVENTS = 1000;

/** Pushed events, and those of the history within a window; the pushed ones alone without a window. */
function useEventsIn(window: TimeWindow | undefined, pushed: readonly PanelEvent[]): readonly PanelEvent[] {
  const { past } = useServices();
  const isKnown = window === undefined || (pushed[0]?.at ?? Infinity) <= window.from;
  const query = useMemo(
    (): PastEventsQuery | undefined => (isKnown ? undefined : { ...window, limit: MOST_EVENTS }),
    [isKnown, window],
  );
  const { reply } = usePast(past.events, query, 'activity');
  return useMemo(() => mergeEvents(pushed, reply?.events ?? []), [pushed, reply]);
}

const useEventFilter = (): EventFilter => ({
  server: useView((state) => state.activityServer),
  kind: useView((state) => state.activityKind),
});

function EventFilterFields() {
  const { view } = useServices();
  const { server, kind } = useEventFilter();
  const names = usePanel((state) => state.names);
  return (
    <>
      <NativeSelect
        size="xs"
        w={170}
        aria-label="Server"
        value={server ?? ALL}
        onChange={(event) => view.setState({ activityServer: event.currentTarget.value || null })}
        data={[{ value: ALL, label: 'All servers' }, ...names]}
      />
      <NativeSelect
        size="xs"
        w={190}
        aria-label="Kind of event"
        value={kind ?? ALL}
        onChange={(event) => view.setState({ activityKind: kindOf(event.currentTarget.value) })}
        data={[
          { value: ALL, label: 'All events' },
          ...namedEventKinds.map(({ kind: value, name: label }) => ({ value, label })),
        ]}
      />
    </>
  );
}

/**
 * Number of stored events that match the filter, of a chosen time or of all, however many are loaded; undefined until the history
 * has answered.
 */
function useKeptCount(
  { server, kind }: EventFilter,
  window: TimeWindow | undefined,
  live: readonly PanelEvent[],
  isAskedFor: (event: PanelEvent) => boolean,
): number | undefined {
  const { clock, past } = useServices();
  const query = useMemo(
    (): PastEventsQuery => ({
      ...(window ?? keptSpan(clock.getState().now)),
      ...(server !== null && { server }),
      ...(kind !== null && { kinds: [kind] }),
      limit: 1,
    }),
    [clock, server, kind, window],
  );
  const { reply } = usePast(past.events, query, `activity ${server} ${kind}`);
  if (reply === undefined) return undefined;
  const newest = reply.events.at(-1)?.id ?? '';
  return reply.total + live.filter((event) => event.id > newest && isAskedFor(event)).length;
}

const kindOf = (value: string): EventKind | null =>
  namedEventKinds.find(({ kind }) => kind === value)?.kind ?? null;
