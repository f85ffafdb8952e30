import { useShallow } from 'zustand/react/shallow';
import { ConfigBanner } from '../components/config-banner.tsx';
import { EventLog } from '../components/event-log.tsx';
import { IconButton } from '../components/icon-button.tsx';
import { SearchField } from '../components/search-field.tsx';
import { withShortcut } from '../keyboard.ts';
import { matchesSearch } from '../format/search.ts';
import { hrefOf } from '../store/route-store.ts';
import { usePanel, useServices, useView } from '../store/services.ts';
import { AbsenceNote } from './absence-note.tsx';
import { AttentionList } from './attention-list.tsx';
import { EmptyState } from './empty-state.tsx';
import { ServerList } from './server-list.tsx';
import { useCalmAttention } from './use-calm-attention.ts';
import { VerdictLine } from './verdict-line.tsx';
import styles from './overview.module.css';

/** The glance: the verdict, what needs attention, every server, and what happened last. */
export function Overview() {
  const hasServers = usePanel((state) => state.names.length > 0);
  const attention = useCalmAttention();
  return (
    <div className={styles.view} {...attention.handlers}>
      <header className={styles.header}>
        <VerdictLine />
        <AbsenceNote />
        {hasServers && <ServerSearch />}
        <Tools />
      </header>
      <ConfigBanner />
      <div className={hasServers ? styles.servers : styles.empty}>
        {hasServers ? (
          <>
            <AttentionList names={attention.names} />
            <FoundServers />
          </>
        ) : (
          <EmptyState />
        )}
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
        tip={withShortcut('Import servers of other clients', 'import')}
        onClick={() => manage.open({ kind: 'import', ticksNew: false })}
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

function FoundServers() {
  const search = useView((state) => state.search.trim());
  const names = usePanel(
    useShallow(({ names: all, servers }) =>
      all.filter((name) => {
        const server = servers[name];
        return server !== undefined && matchesSearch(server, search);
      }),
    ),
  );
  if (names.length === 0) return <p className={styles.nothing}>No server matches “{search}”.</p>;
  return <ServerList names={names} />;
}

function RecentEvents() {
  const events = usePanel((state) => state.events);
  return (
    <EventLog
      events={events}
      hasServer
      emptyWords="Nothing has happened yet. Starts, crashes, restarts and changes of the configuration are listed here."
    />
  );
}

/** Narrows the servers shown, by name, state or command. */
function ServerSearch() {
  const { view } = useServices();
  const search = useView((state) => state.search);
  return (
    <SearchField
      name="Search servers"
      words={search}
      onChange={(words) => view.setState({ search: words })}
      onDown={() => document.querySelector<HTMLElement>('[role="row"] [data-home]')?.focus()}
      width="clamp(140px, 17vw, 220px)"
    />
  );
}
