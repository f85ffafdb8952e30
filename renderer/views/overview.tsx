import { useState } from 'react';
import { AskingBanner } from './asking-banner.tsx';
import { ConfigBanner } from './config-banner.tsx';
import { EventList } from '../events/event-log.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { withShortcut } from '../commands/shortcuts.ts';
import { emptyFilterWords, filterNames, type ServerGroup } from '../format/server-list.ts';
import { everyServer } from '../format/list-choice.ts';
import { hrefOf } from '../store/route-store.ts';
import { usePanel, useServices, useView } from '../services.ts';
import { AttentionList, namesOnCards } from './attention-list.tsx';
import { EmptyState } from './empty-state.tsx';
import { ImportOffer } from './import-offer.tsx';
import { ListBar } from './list-bar.tsx';
import { ServerList } from './server-list.tsx';
import { useServerList } from './use-server-list.ts';
import { StatusBand } from './status-band.tsx';
import styles from './overview.module.css';

/** Overview: the verdict, servers that need attention, every server, and the latest events. */
export function Overview() {
  const count = usePanel((state) => state.names.length);
  const isNarrowed = useView(({ filter, search }) => filter !== everyServer.filter || search.trim() !== '');
  const { arrangement, handlers } = useServerList();
  const { attention, groups } = arrangement;
  const [isWhole, setWhole] = useState(false);
  const told = namesOnCards({ names: attention, isWhole });
  const shown = groups.reduce((sum, { names }) => sum + names.length, 0);
  const hasServers = count > 0;
  return (
    <div className={styles.view} {...handlers}>
      <StatusBand />
      <ConfigBanner />
      <AskingBanner />
      {hasServers && <ImportOffer />}
      <AttentionList names={attention} isWhole={isWhole} onWhole={setWhole} />
      <div className={styles.listBar}>
        {/* A single server needs no filter. */}
        {count > 1 || (hasServers && isNarrowed) ? (
          <ListBar shown={shown} />
        ) : (
          <h2 hidden={!hasServers}>Servers</h2>
        )}
        <Tools />
      </div>
      <div className={hasServers ? styles.servers : styles.empty}>
        {hasServers ? <FoundServers groups={groups} told={told} /> : <EmptyState />}
      </div>
      <section className={styles.events}>
        <div className={styles.bar}>
          <h2>Events</h2>
          <a href={hrefOf({ view: 'activity' })}>All activity</a>
        </div>
        <RecentEvents />
      </section>
    </div>
  );
}

function Tools() {
  const { manage } = useServices();
  return (
    <div className={styles.tools}>
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
}

function FoundServers({ groups, told }: FoundServersProps) {
  const search = useView((state) => state.search.trim());
  const filter = useView((state) => state.filter);
  if (groups.length > 0) return <ServerList groups={groups} told={told} />;
  const among = filter === everyServer.filter ? '' : ` among “${filterNames[filter]}”`;
  return (
    <p className={styles.nothing}>
      {search === '' ? emptyFilterWords[filter] : `No server${among} matches “${search}”.`}
    </p>
  );
}

function RecentEvents() {
  const events = usePanel((state) => state.events);
  return (
    <EventList
      events={events}
      hasServer
      emptyWords="Nothing has happened yet. Starts, crashes, restarts and changes of the configuration are listed here."
    />
  );
}
