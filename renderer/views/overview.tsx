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
import styles from './overview.module.css';
import { formatPlural, listWords } from '../format/figures.ts';
import { useFound } from '../import/choices.ts';

/** Overview: the verdict, servers that need attention, every server, and the latest events. */
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
  return (
    <div
      ref={view}
      className={
        form.isWhole
          ? `${styles.view} flex flex-col h-full relative ${styles.whole}`
          : `${styles.view} flex flex-col h-full relative`
      }
      {...handlers}
    >
      <StatusBand look={form.head} />
      <div ref={notesRef} className="flex-none">
        <ConfigBanner />
        <AskingBanner />
        {hasServers && <ImportOffer />}
        {hasServers && <SleepOffer />}
      </div>
      <AttentionList names={attention} look={form.problems} places={chipsIn(size.widthPx)} />
      <div className={`${styles.listBar} flex items-center gap-8 flex-none`}>
        {/* A single server needs no filter. */}
        {count > 1 || (hasServers && isNarrowed) ? (
          <ListBar shown={shown} />
        ) : (
          <h2 hidden={!hasServers}>Servers</h2>
        )}
        <Tools />
      </div>
      <div className={hasServers ? styles.servers : styles.empty}>
        {hasServers ? (
          <FoundServers groups={groups} told={told} isOneLine={form.isOneLine} />
        ) : (
          <EmptyState />
        )}
      </div>
      <RecentEvents look={hasServers ? form.events : 'list'} />
    </div>
  );
}

/** Size of what is in the view's place so far. Without a document nothing is measured later either. */
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

function Tools() {
  const { manage } = useServices();
  return (
    <div className={`${styles.tools} flex gap-6 flex-none`}>
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
    <p className={styles.nothing}>
      {search === '' ? emptyFilterWords[filter] : `No server${among} matches “${search}”.`}
    </p>
  );
}

/** The latest events; in one line the last one alone. */
function RecentEvents({ look }: { readonly look: Folds['events'] }) {
  const events = usePanel((state) => state.events);
  const last = useMemo(() => events.slice(-1), [events]);
  return (
    <section className={`${styles.events} ${look === 'line' ? styles.line : ''}`}>
      <div className={`${styles.bar} flex items-center justify-between flex-none label`}>
        <h2>Events</h2>
        <a href={hrefOf({ view: 'activity' })}>All activity</a>
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

/** Line above the list while other clients have servers that are not imported yet. Can be dismissed. */
function ImportOffer() {
  const isOffered = useView((state) => state.offersImports);
  return isOffered ? <Offer /> : null;
}

function Offer() {
  const { found, manage, view } = useServices();
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
      onDismiss={() => view.setState({ offersImports: false })}
    />
  );
}
