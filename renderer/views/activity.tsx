import { NativeSelect } from '@mantine/core';
import { useMemo, type ReactNode } from 'react';
import type { EventKind, PanelEvent } from '../../shared/domain.ts';
import type { PastEventsQuery } from '../../shared/history.ts';
import type { TimeWindow } from '../charts/downsample.ts';
import { SpanBar } from '../charts/span-bar.tsx';
import { KEPT_MS } from '../../shared/retention.ts';
import { usePast } from '../charts/use-past.ts';
import { useSpanWindow, type SpanWindow } from '../charts/use-span-window.ts';
import { EventList } from '../events/event-log.tsx';
import { OlderEventsButton } from '../events/older-events.tsx';
import { useOlderEvents } from '../events/use-older-events.ts';
import { eventGroups, namedEventKinds, type KindGroup } from '../format/event-words.ts';
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
  const filter = useEventFilter();
  const { server, kinds } = filter;
  const span = useSpanWindow(NO_SERVERS, KEPT_MS);
  const shown = useShownTime(span);
  const pushed = usePanel((state) => state.events);
  const live = useEventsIn(shown, pushed);
  const older = useOlderEvents(live, filter);
  const { events: all, single, hasMore, isBegun, isAsking } = older;
  const isAskedFor = useMemo(() => passing(filter, shown), [filter, shown]);
  const loaded = useMemo(() => single.length + all.filter(isAskedFor).length, [single, all, isAskedFor]);
  const kept = useKeptCount(filter, shown, all) ?? loaded;
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
      <SpanBar {...span} bucketMs={undefined}>
        <EventGroups window={shown} server={server} />
      </SpanBar>
      <EventList
        key={`${server ?? ''} ${kinds?.join() ?? ''}`}
        events={all}
        isAskedFor={isAskedFor}
        single={single}
        isPast={isBegun || isAsking}
        hasServer
        foot={<OlderEventsButton older={older} canChoose={server === null || kinds === null} />}
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

function useEventFilter(): EventFilter {
  const server = useView((state) => state.activityServer);
  const choice = useView((state) => state.activityKind);
  return useMemo(() => ({ server, kinds: choice === null ? null : kindsOf(choice) }), [server, choice]);
}

const isGroup = (choice: string): choice is KindGroup => Object.hasOwn(eventGroups, choice);

const kindsOf = (choice: EventKind | KindGroup): readonly EventKind[] =>
  isGroup(choice) ? eventGroups[choice] : [choice];

/** Returns a test for the events of a filter within a time. */
const passing =
  ({ server, kinds }: EventFilter, window: TimeWindow | undefined) =>
  (event: PanelEvent): boolean =>
    (server === null || event.server === server) &&
    (kinds === null || kinds.includes(event.kind)) &&
    (window === undefined || (event.at >= window.from && event.at < window.to));

interface EventGroupsProps {
  readonly window: TimeWindow | undefined;
  readonly server: string | null;
}

/** Groups of events with their numbers in the time shown. */
function EventGroups({ window, server }: EventGroupsProps) {
  const { view } = useServices();
  const choice = useView((state) => state.activityKind);
  const problems = useGroupWords('Problems', 'problems', server, window);
  const changes = useGroupWords('Changes', 'changes', server, window);
  const clients = useGroupWords('Clients', 'clients', server, window);
  return (
    <Segments
      name="Events of"
      value={choice === null || isGroup(choice) ? (choice ?? ALL) : 'one'}
      choices={[
        { value: 'problems', label: problems },
        { value: 'changes', label: changes },
        { value: 'clients', label: clients },
        { value: ALL, label: 'Everything' },
      ]}
      onChange={(value) => view.setState({ activityKind: isGroup(value) ? value : null })}
    />
  );
}

function useGroupWords(
  name: string,
  group: KindGroup,
  server: string | null,
  window: TimeWindow | undefined,
): string {
  const live = usePanel((state) => state.events);
  const filter = useMemo(() => ({ server, kinds: eventGroups[group] }), [server, group]);
  const count = useKeptCount(filter, window, live);
  return count === undefined ? name : `${name} ${formatCount(count)}`;
}

function EventFilterFields() {
  const { view } = useServices();
  const server = useView((state) => state.activityServer);
  const kind = useView((state) => state.activityKind);
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
        value={kind === null || isGroup(kind) ? ALL : kind}
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
  filter: EventFilter,
  window: TimeWindow | undefined,
  live: readonly PanelEvent[],
): number | undefined {
  const { clock, past } = useServices();
  const { server, kinds } = filter;
  const query = useMemo(
    (): PastEventsQuery => ({
      ...(window ?? keptSpan(clock.getState().now)),
      ...(server !== null && { server }),
      ...(kinds !== null && { kinds: [...kinds] }),
      limit: 1,
    }),
    [clock, server, kinds, window],
  );
  const { reply } = usePast(past.events, query, `activity ${server} ${kinds?.join()}`);
  if (reply === undefined) return undefined;
  const newest = reply.events.at(-1)?.id ?? '';
  const passes = passing(filter, window);
  return reply.total + live.filter((event) => event.id > newest && passes(event)).length;
}

const kindOf = (value: string): EventKind | null =>
  namedEventKinds.find(({ kind }) => kind === value)?.kind ?? null;
