import type { EventKind, PanelEvent } from '../../shared/domain.ts';
import type { PastEventsReply } from '../../shared/history.ts';
import type { ControlPanelApi } from '../../shared/ipc-contract.ts';
import { keptSpan } from './kept-span.ts';

const PAGE = 500;

/** Which events are asked for; null for all. */
export interface EventFilter {
  readonly server: string | null;
  readonly kind: EventKind | null;
}

/** Whether an event is one of those, or, where all kinds are, tells what incidents of that server hang on. */
export const isAskedFor = (event: PanelEvent, { server, kind }: EventFilter): boolean =>
  (server === null || event.server === server || (kind === null && event.server === null)) &&
  (kind === null || event.kind === kind);

/**
 * The page of events before one of them, oldest first. Of a server, all kinds, with those of the panel itself, which end its
 * incidents, too.
 * @throws PanelError as `getPastEvents`
 */
export async function askOlderEvents(
  api: Pick<ControlPanelApi, 'getPastEvents'>,
  { server, kind }: EventFilter,
  now: number,
  before: string | undefined,
): Promise<PastEventsReply> {
  const ask = (whose: { readonly server?: string | null }) =>
    api.getPastEvents({
      ...keptSpan(now),
      ...whose,
      limit: PAGE,
      ...(kind !== null && { kinds: [kind] }),
      ...(before !== undefined && { before }),
    });
  if (server === null) return ask({});
  return joined(await Promise.all([ask({ server }), ...(kind === null ? [ask({ server: null })] : [])]));
}

/** As far back as all of them reach. */
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
