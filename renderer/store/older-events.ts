import type { EventKind, PanelEvent } from '../../shared/domain.ts';
import type { PastEventsReply, Span } from '../../shared/history.ts';
import type { ControlPanelApi } from '../../shared/ipc-contract.ts';

const PAGE = 500;

/** Filter of requested events by server and by kinds. Null means all servers or all kinds. */
export interface EventFilter {
  readonly server: string | null;
  readonly kinds: readonly EventKind[] | null;
}

/**
 * True if an event passes the filter. A filter for one server and all kinds also includes the panel's own events, because those
 * events end the server's incidents.
 */
export const isAskedFor = (event: PanelEvent, { server, kinds }: EventFilter): boolean =>
  (server === null || event.server === server || (kinds === null && event.server === null)) &&
  (kinds === null || kinds.includes(event.kind));

/**
 * Returns the page of events in a time span before the given event, oldest first. For one server and all kinds, the page also
 * contains the panel's own events, because those events end the server's incidents. @throws PanelError like `getPastEvents`
 */
export async function askOlderEvents(
  api: Pick<ControlPanelApi, 'getPastEvents'>,
  { server, kinds }: EventFilter,
  time: Span,
  before: string | undefined,
): Promise<PastEventsReply> {
  const ask = (whose: { readonly server?: string | null }) =>
    api.getPastEvents({
      ...time,
      ...whose,
      limit: PAGE,
      ...(kinds !== null && { kinds: [...kinds] }),
      ...(before !== undefined && { before }),
    });
  if (server === null) return ask({});
  return joined(await Promise.all([ask({ server }), ...(kinds === null ? [ask({ server: null })] : [])]));
}

/** Joins pages. The result goes back only to the time that all pages reach. */
function joined(pages: readonly PastEventsReply[]): PastEventsReply {
  const from = pages.reduce(
    (latest, { events: [first], hasMore }) => (hasMore && first && first.id > latest ? first.id : latest),
    '',
  );
  const events = pages.flatMap((page) => page.events).filter(({ id }) => id >= from);
  return {
    events: events.toSorted((one, other) => (one.id < other.id ? -1 : 1)),
    hasMore: pages.some(({ hasMore }) => hasMore),
    total: pages.reduce((sum, { total }) => sum + total, 0),
  };
}

/** Merges pushed and past events, oldest first, without duplicates. Returns `live` itself if the past events add none. */
export function mergeEvents(live: readonly PanelEvent[], past: readonly PanelEvent[]): readonly PanelEvent[] {
  const known = new Set(live.map(({ id }) => id));
  const older = past.filter(({ id }) => !known.has(id));
  return older.length === 0 ? live : [...older, ...live].sort((a, b) => a.at - b.at);
}
