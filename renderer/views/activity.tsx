import { NativeSelect } from '@mantine/core';
import { useCallback, useMemo, type ReactNode } from 'react';
import type { EventKind, PanelEvent } from '../../shared/domain.ts';
import type { PastEventsQuery } from '../../shared/history.ts';
import { usePast } from '../charts/use-past.ts';
import { EventList } from '../events/event-log.tsx';
import { OlderEventsButton } from '../events/older-events.tsx';
import { useOlderEvents } from '../events/use-older-events.ts';
import { namedEventKinds } from '../format/event-words.ts';
import { formatCount, formatPlural } from '../format/figures.ts';
import { usePanel, useServices, useView } from '../services.ts';
import { keptSpan } from '../store/kept-span.ts';
import type { EventFilter } from '../store/older-events.ts';
import { Segments } from '../ui/segments.tsx';
import { Audit } from './audit.tsx';
import { Page } from '../ui/page.tsx';

const ALL = '';

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
  const live = usePanel((state) => state.events);
  const older = useOlderEvents(live, { server, kind });
  const { events: all, single, hasMore, isBegun, isAsking } = older;
  const isAskedFor = useCallback(
    (event: PanelEvent) =>
      (server === null || event.server === server) && (kind === null || event.kind === kind),
    [server, kind],
  );
  const loaded = useMemo(() => single.length + all.filter(isAskedFor).length, [single, all, isAskedFor]);
  const kept = useKeptCount({ server, kind }, all, isAskedFor) ?? loaded;
  return (
    <Page
      title="Activity"
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

/** Number of stored events that match the filter, however many are loaded; undefined until the history has answered. */
function useKeptCount(
  { server, kind }: EventFilter,
  live: readonly PanelEvent[],
  isAskedFor: (event: PanelEvent) => boolean,
): number | undefined {
  const { clock, past } = useServices();
  const query = useMemo(
    (): PastEventsQuery => ({
      ...keptSpan(clock.getState().now),
      ...(server !== null && { server }),
      ...(kind !== null && { kinds: [kind] }),
      limit: 1,
    }),
    [clock, server, kind],
  );
  const { reply } = usePast(past.events, query, `activity ${server} ${kind}`);
  if (reply === undefined) return undefined;
  const newest = reply.events.at(-1)?.id ?? '';
  return reply.total + live.filter((event) => event.id > newest && isAskedFor(event)).length;
}

const kindOf = (value: string): EventKind | null =>
  namedEventKinds.find(({ kind }) => kind === value)?.kind ?? null;
