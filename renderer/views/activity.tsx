import { NativeSelect } from '@mantine/core';
import { type ReactNode, useEffect, useMemo } from 'react';
import type { EventKind, PanelEvent } from '../../shared/domain.ts';
import type { PastEventsQuery } from '../../shared/history.ts';
import type { TimeWindow } from '../charts/downsample.ts';
import { TroubleStrip } from '../charts/day-bar.tsx';
import { STRIP_CELLS } from '../charts/day-cells.ts';
import { SpanBar } from '../charts/span-bar.tsx';
import { usePast } from '../charts/use-past.ts';
import { type SpanWindow, useSpanWindow } from '../charts/use-span-window.ts';
import { EventList } from '../events/event-log.tsx';
import { type EventTime, type OlderEvents as Older, useOlderEvents } from '../events/use-older-events.ts';
import { eventGroups, type KindGroup, namedEventKinds } from '../format/event-words.ts';
import { formatCount, formatPlural } from '../format/figures.ts';
import { useNow, usePanel, useServices, useView } from '../services.ts';
import { type EventFilter, mergeEvents } from '../store/older-events.ts';
import { EVENTS_KEPT } from '../store/panel-store.ts';
import { EVENTS_SPAN_MS } from '../store/span-choice.ts';
import { Segments } from '../ui/segments.tsx';
import { Audit } from './audit.tsx';
import { Page } from '../ui/page.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { MINUTE_MS } from '../../shared/units.ts';

const ALL = '';

const halves = [
  { value: 'events', label: 'Events' },
  { value: 'calls', label: 'Calls' },
] as const;

/** View of what happened: events of all servers, or calls of clients. */
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

/** Events of all servers within the time shown, filtered by server and kind. */
function Events({ head }: { readonly head: ReactNode }) {
  const filter = useEventFilter();
  const { server, kinds } = filter;
  const span = useSpanWindow(NO_SERVERS, EVENTS_SPAN_MS);
  const time = useShownTime(span);
  const { window } = time;
  const { events: live, hasMore: hasOlder } = useEventsIn(time);
  const older = useOlderEvents(live, filter, { ...time, hasMore: hasOlder });
  const { events: all, single, hasMore, isBegun, isAsking, error, ask } = older;
  // Older events are loaded automatically when a filter is set, because the newest events may include only few that match it.
  const isDue =
    (server !== null || kinds !== null) && hasMore && !isBegun && !isAsking && error === undefined;
  useEffect(() => {
    if (isDue) ask();
  });
  const isAskedFor = useMemo(() => passing(filter, window), [filter, window]);
  const loaded = useMemo(() => single.length + all.filter(isAskedFor).length, [single, all, isAskedFor]);
  const kept = useKeptCount(filter, time, all) ?? loaded;
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
        <EventGroups time={time} server={server} />
      </SpanBar>
      <TroubleStrip window={window} server={server} control={span.control} />
      <EventList
        key={`${server ?? ''} ${kinds?.join() ?? ''} ${time.key}`}
        events={all}
        isAskedFor={isAskedFor}
        single={single}
        isPast={isBegun || isAsking}
        hasServer
        foot={<OlderEventsButton older={older} canChoose={server === null || kinds === null} />}
        emptyWords={
          isAsking
            ? 'Reading the history…'
            : server === null && kinds === null
              ? 'Nothing happened in the time shown.'
              : 'Nothing of this kind happened in the time shown.'
        }
      />
    </Page>
  );
}

const NO_SERVERS: readonly string[] = [];

type ShownTime = Pick<EventTime, 'window' | 'key'>;

/** Returns the selected time range. A live range is rounded to whole cells of the event strip, so that it seldom changes. */
function useShownTime({ window: { from, to }, liveMs }: SpanWindow): ShownTime {
  const stepMs = Math.max(MINUTE_MS, (liveMs ?? 0) / STRIP_CELLS);
  const end = useNow((now) => (liveMs === undefined ? to : (Math.floor(now / stepMs) + 1) * stepMs));
  const start = liveMs === undefined ? from : end - liveMs;
  return useMemo(
    () => ({
      window: { from: Math.floor(start), to: Math.ceil(end) },
      key: liveMs === undefined ? `${start} ${end}` : `${liveMs}`,
    }),
    [start, end, liveMs],
  );
}

/** Maximum number of events that one query reads. If a period has more, the newest are read. */
const MOST_EVENTS = 1000;

interface EventsIn {
  readonly events: readonly PanelEvent[];
  /** Whether the history has more events of the period, older than the loaded ones. */
  readonly hasMore: boolean;
}

/** Events of a period: those that the main process has pushed to this app window, and those read from the history. */
function useEventsIn({ window, key }: ShownTime): EventsIn {
  const { past } = useServices();
  const pushed = usePanel((state) => state.events);
  const isKnown = (pushed[0]?.at ?? Infinity) <= window.from;
  const query = useMemo(
    (): PastEventsQuery | undefined => (isKnown ? undefined : { ...window, limit: MOST_EVENTS }),
    [isKnown, window],
  );
  const { reply } = usePast(past.events, query, `activity ${key}`);
  return useMemo(
    () => ({
      events: mergeEvents(pushed, reply?.events ?? []),
      hasMore: !isKnown && (reply?.hasMore ?? pushed.length >= EVENTS_KEPT),
    }),
    [pushed, reply, isKnown],
  );
}

function useEventFilter(): EventFilter {
  const server = useView((state) => state.activityServer);
  const choice = useView((state) => state.activityKind);
  return useMemo(() => ({ server, kinds: choice === null ? null : kindsOf(choice) }), [server, choice]);
}

const isGroup = (choice: string): choice is KindGroup => Object.hasOwn(eventGroups, choice);

const kindsOf = (choice: EventKind | KindGroup): readonly EventKind[] =>
  isGroup(choice) ? eventGroups[choice] : [choice];

/** Returns a test for events that match a filter and are within a period. */
const passing =
  ({ server, kinds }: EventFilter, { from, to }: TimeWindow) =>
  (event: PanelEvent): boolean =>
    (server === null || event.server === server) &&
    (kinds === null || kinds.includes(event.kind)) &&
    event.at >= from &&
    event.at < to;

interface EventGroupsProps {
  readonly time: ShownTime;
  readonly server: string | null;
}

/** Groups of events with the number of events of each in the time shown. */
function EventGroups({ time, server }: EventGroupsProps) {
  const { view } = useServices();
  const choice = useView((state) => state.activityKind);
  const problems = useGroupWords('Problems', 'problems', server, time);
  const changes = useGroupWords('Changes', 'changes', server, time);
  const clients = useGroupWords('Clients', 'clients', server, time);
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

function useGroupWords(name: string, group: KindGroup, server: string | null, time: ShownTime): string {
  const live = usePanel((state) => state.events);
  const filter = useMemo(() => ({ server, kinds: eventGroups[group] }), [server, group]);
  const count = useKeptCount(filter, time, live);
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
 * Number of all events of a period that match the filter, including those not loaded; undefined until the history has answered.
 */
function useKeptCount(
  filter: EventFilter,
  { window, key }: ShownTime,
  live: readonly PanelEvent[],
): number | undefined {
  const { past } = useServices();
  const { server, kinds } = filter;
  const query = useMemo(
    (): PastEventsQuery => ({
      ...window,
      ...(server !== null && { server }),
      ...(kinds !== null && { kinds: [...kinds] }),
      limit: 1,
    }),
    [server, kinds, window],
  );
  const { reply } = usePast(past.events, query, `count ${server} ${kinds?.join()} ${key}`);
  if (reply === undefined) return undefined;
  const newest = reply.events.at(-1)?.id ?? '';
  const passes = passing(filter, window);
  return reply.total + live.filter((event) => event.id > newest && passes(event)).length;
}

const kindOf = (value: string): EventKind | null =>
  namedEventKinds.find(({ kind }) => kind === value)?.kind ?? null;

interface OlderEventsProps {
  readonly older: Older;
  /** Whether all servers or all kinds are shown, so that a narrower filter would make room for older events. */
  readonly canChoose: boolean;
}

/** Footer of an event log with a button that loads older events. */
function OlderEventsButton({ older, canChoose }: OlderEventsProps) {
  const { hasMore, isFull, isAsking, error, ask } = older;
  return (
    <div className="flex flex-col items-start gap-4 px-16 py-4 text-dim empty:hidden">
      {error !== undefined && (
        <ErrorNote error={error} server="the panel" lead="Older events could not be read" />
      )}
      {hasMore && !isFull && (
        <TextButton isBusy={isAsking} onClick={ask}>
          Show older ones
        </TextButton>
      )}
      {hasMore && isFull && (
        <p>
          {canChoose
            ? 'There are too many to show older ones. Choose a server or a kind of event.'
            : 'There are too many to show older ones.'}
        </p>
      )}
    </div>
  );
}
