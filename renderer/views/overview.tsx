import { useEffect, useMemo } from 'react';
import { AskingBanner } from './asking-banner.tsx';
import { ConfigBanner } from './config-banner.tsx';
import { EventList } from '../events/event-log.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { withShortcut } from '../commands/shortcuts.ts';
import { emptyFilterWords, filterNames, type ServerGroup } from '../format/server-list.ts';
import { everyServer } from '../format/list-choice.ts';
import { hrefOf } from '../store/route-store.ts';
import { usePanel, useServices, useView } from '../services.ts';
import { type Size, useSize } from '../ui/use-size.ts';
import { AttentionList } from './attention-list.tsx';
import { EmptyState } from './empty-state.tsx';
import { chipsIn, type Folds, foldsFor } from './folds.ts';
import { ListBar } from './list-bar.tsx';
import { ServerList } from './server-list.tsx';
import { OfferLine, SleepOffer } from './sleep-offer.tsx';
import { useServerList } from './use-server-list.ts';
import { StatusBand } from './status-band.tsx';
import { formatPlural, listWords } from '../format/figures.ts';
import { useFound } from '../import/choices.ts';

const listLook = 'min-h-64 border-t border-line [scrollbar-gutter:stable]';
/**
 * Classes for a list with its own scroll area. The scroll padding prevents the sticky header from covering the focused row. If
 * the window is too small even for the most compact form, the whole view scrolls instead.
 */
const ownScroller = 'flex-initial overflow-auto scroll-pt-32';

/** Overview: the status of all servers in one sentence, servers that need attention, the server list, and the latest events. */
export function Overview() {
  const count = usePanel((state) => state.names.length);
  const isNarrowed = useView(({ filter, search }) => filter !== everyServer.filter || search.trim() !== '');
  const { arrangement, handlers } = useServerList();
  const { attention, groups } = arrangement;
  const [size, view] = useSize(roomOfViews);
  const [notes, notesRef] = useSize(() => ({ ...roomOfViews(), heightPx: 0 }));
  const form = useFolds(size, notes.heightPx, attention.length);
  const told = form.problems === 'cards' ? attention : [];
  const shown = groups.reduce((sum, { names }) => sum + names.length, 0);
  const hasServers = count > 0;
  const offersImports = useView((state) => state.offersImports);
  return (
    <div
      ref={view}
      className={`flex flex-col h-full relative ${form.isWhole ? 'overflow-y-auto' : ''}`}
      {...handlers}
    >
      <StatusBand look={form.head} />
      <div ref={notesRef} className="flex-none">
        <ConfigBanner />
        <AskingBanner />
        {hasServers && offersImports && <ImportOffer />}
        {hasServers && <SleepOffer />}
      </div>
      <AttentionList names={attention} look={form.problems} places={chipsIn(size.widthPx)} />
      {/* Without servers there is no list to filter, so the button that adds a server moves up beside the status line. */}
      <div
        className={`flex items-center gap-8 flex-none min-h-38 pr-16 max-[821px]:pb-4 ${hasServers ? '' : 'absolute top-8 right-0'}`}
      >
        {/* A single server needs no filter. */}
        {count > 1 || (hasServers && isNarrowed) ? (
          <ListBar shown={shown} />
        ) : (
          <h2 className="flex-1 min-w-0 pl-16 label" hidden={!hasServers}>
            Servers
          </h2>
        )}
        <Tools />
      </div>
      <div
        className={hasServers ? `${listLook} ${form.isWhole ? 'flex-none' : ownScroller}` : 'grow shrink-0'}
      >
        {hasServers ? (
          <FoundServers groups={groups} told={told} isOneLine={form.isOneLine} />
        ) : (
          <EmptyState />
        )}
      </div>
      <RecentEvents look={hasServers ? form.events : 'beside-nothing'} />
    </div>
  );
}

/** Current size of the `main` element, which contains the views. Without a document, a default size is returned. */
function roomOfViews(): Size {
  const place = typeof document === 'undefined' ? null : document.querySelector('main');
  return { widthPx: place?.clientWidth ?? 1072, heightPx: place?.clientHeight ?? 800 };
}

function useFolds({ widthPx, heightPx }: Size, notesPx: number, problems: number): Folds {
  const servers = usePanel((state) => state.names.length);
  const isComfortable = useView(({ density }) => density === 'comfortable');
  return useMemo(
    () => foldsFor({ widthPx, heightPx, notesPx, problems, servers, isComfortable }),
    [widthPx, heightPx, notesPx, problems, servers, isComfortable],
  );
}

/**
 * Classes for the buttons, which are right-aligned even if nothing precedes them. In a narrow window their labels are hidden,
 * but their tooltips still contain the labels.
 */
const tools =
  'flex gap-6 flex-none ml-auto pb-8 max-[961px]:*:w-28! max-[961px]:*:p-0! max-[961px]:[&_span]:hidden';

function Tools() {
  const { manage } = useServices();
  return (
    <div className={tools}>
      <IconButton
        icon="add"
        name="Add server"
        label="Add"
        tip={withShortcut('Add a server', 'add')}
        onClick={() => manage.open({ kind: 'add' })}
      />
      <IconButton
        icon="import"
        name="Import servers"
        label="Import"
        tip={withShortcut('Import servers from other clients', 'import')}
        onClick={() => manage.open({ kind: 'import' })}
      />
      <IconButton
        icon="commands"
        name="Commands"
        tip={withShortcut('Everything by name', 'commands')}
        onClick={() => manage.open({ kind: 'palette' })}
      />
    </div>
  );
}

interface FoundServersProps {
  readonly groups: readonly ServerGroup[];
  readonly told: readonly string[];
  readonly isOneLine: boolean;
}

function FoundServers({ groups, told, isOneLine }: FoundServersProps) {
  const search = useView((state) => state.search.trim());
  const filter = useView((state) => state.filter);
  if (groups.length > 0) return <ServerList groups={groups} told={told} isOneLine={isOneLine} />;
  const among = filter === everyServer.filter ? '' : ` among “${filterNames[filter]}”`;
  return (
    <p className="p-16 text-dim">
      {search === '' ? emptyFilterWords[filter] : `No server${among} matches “${search}”.`}
    </p>
  );
}

const eventsLooks = {
  list: 'flex-col flex-[1_0_108px]',
  // The last event is in the same line as the title.
  line: 'flex-row-reverse flex-[0_0_30px] mt-auto overflow-hidden *:min-w-0 [&_[role=log]]:overflow-hidden! [&_[role=log]]:[scrollbar-gutter:auto]!',
  'beside-nothing': 'flex-col flex-[0_0_120px]',
} as const;

/** The latest events; in the one-line form only the last event. */
function RecentEvents({ look }: { readonly look: keyof typeof eventsLooks }) {
  const events = usePanel((state) => state.events);
  const last = useMemo(() => events.slice(-1), [events]);
  return (
    <section className={`flex min-h-0 border-t border-line bg-ground ${eventsLooks[look]}`}>
      <div className="flex items-center justify-between flex-none h-28 px-16 label">
        <h2 hidden={look === 'line'}>Events</h2>
        <a className="hover:text-text hover:link" href={hrefOf({ view: 'activity' })}>
          All activity
        </a>
      </div>
      <EventList
        events={look === 'line' ? last : events}
        hasServer
        isShort
        emptyWords="Nothing has happened yet. Starts, crashes, restarts and changes of the configuration are listed here."
      />
    </section>
  );
}

/** Line above the list, shown while other clients have servers that are not imported yet. The user can dismiss it. */
function ImportOffer() {
  const { found, manage } = useServices();
  useEffect(() => void found.look(), [found]);
  const { count, labels } = useFound();
  if (count === 0) return null;
  return (
    <OfferLine
      name="Found on this machine"
      words={`Found ${formatPlural(count, 'server')} in ${listWords(labels)}`}
      accept={count === 1 ? 'Look at it and import…' : 'Look at them and import…'}
      onAccept={() => manage.open({ kind: 'import' })}
      dismiss="Dismiss the offer"
      tip="Dismiss; Import stays above"
      setting="offersImports"
    />
  );
}
