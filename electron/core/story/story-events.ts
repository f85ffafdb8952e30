import type { EventKind, PanelEvent } from '../../../shared/domain.ts';
import type { StoryQuery } from '../../../shared/restart-story.ts';
import type { HistorySource } from '../store/history-source.ts';
import type { StoryEvents } from './restart-story.ts';

/** Events of a server that begin and end its runs, or determine the outcome of an end. */
export const runEventKinds: readonly EventKind[] = [
  'started',
  'restarted',
  'crashed',
  'stalled',
  'ended',
  'stopped',
  'slept',
  'woken',
  'start-failed',
  'restart-scheduled',
  'gave-up',
];

/** Events of a server that contain information about its runs. */
const ofServer: readonly EventKind[] = [
  ...runEventKinds,
  'recovered',
  'suspect',
  'limit-breached',
  'limit-recovered',
  'high-cpu',
  'force-killed',
  'protocol-noise',
  'orphan-reaped',
  'adopted',
  'config-changed',
  'server-version-changed',
];
const ofPanel: readonly EventKind[] = ['panel-started', 'panel-quit', 'system-resumed'];

/** Events per page. A page is small, because an event may take several KiB and a page is processed in one event-loop tick. */
const PAGE = 200;
/** Maximum number of pages that are read: 3000 events. If a server failed every minute for months, the newest days are enough. */
const MAX_PAGES = 15;

interface StoryEventsQuery extends Pick<StoryQuery, 'server' | 'from' | 'to'> {
  /** Kinds of events that are read. Default: all kinds that contain information about the server's runs. */
  readonly kinds?: readonly EventKind[];
}

/** Reads the stored events of a server's runs, at most the newest 3000. */
export async function readStoryEvents(
  source: Pick<HistorySource, 'events' | 'state'>,
  { server, from, to, kinds = ofServer }: StoryEventsQuery,
): Promise<StoryEvents> {
  const [own, common, { oldestAt }] = await Promise.all([
    readAll(source, { server, from, to, kinds: [...kinds] }),
    readAll(source, { server: null, from, to, kinds: [...ofPanel] }),
    source.state(),
  ]);
  const cutAt = Math.max(
    ...[own, common].map(({ events, isCut }) => (isCut ? (events[0]?.at ?? from) : from)),
  );
  const events = [...own.events, ...common.events]
    .filter(({ at }) => at >= cutAt)
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const oldest = oldestAt ?? events[0]?.at ?? to;
  return { events, covered: { from: Math.min(to, Math.max(cutAt, oldest)), to } };
}

type Query = Omit<Parameters<HistorySource['events']>[0], 'limit' | 'before'>;

async function readAll(
  source: Pick<HistorySource, 'events'>,
  query: Query,
): Promise<{ readonly events: readonly PanelEvent[]; readonly isCut: boolean }> {
  const pages: (readonly PanelEvent[])[] = [];
  let before: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const reply = await source.events({
      ...query,
      limit: PAGE,
      ...(before !== undefined && { before }),
    });
    pages.unshift(reply.events);
    before = reply.events[0]?.id;
    if (!reply.hasMore || before === undefined) return { events: pages.flat(), isCut: false };
  }
  return { events: pages.flat(), isCut: true };
}
