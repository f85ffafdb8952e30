import { withShortcut } from '../commands/shortcuts.ts';
import { hrefOf, serverTabs, type ServerTab } from '../store/route-store.ts';
import styles from './page-tabs.module.css';

export const tabNames: Readonly<Record<ServerTab, string>> = {
  overview: 'Overview',
  processes: 'Processes',
  tools: 'Tools',
  sessions: 'Sessions',
  logs: 'Logs',
  configuration: 'Configuration',
  restarts: 'Restarts',
};

/** Sections of a server's page, as links so that each has its own entry in the browser history. */
export function PageTabs({ server, current }: { readonly server: string; readonly current: ServerTab }) {
  return (
    <nav className={styles.tabs} aria-label={`Sections of ${server}`}>
      {serverTabs.map((tab) => (
        <a
          key={tab}
          className={tab === current ? styles.current : styles.tab}
          href={hrefOf({ view: 'server', name: server, tab })}
          aria-current={tab === current ? 'page' : undefined}
          data-words={tabNames[tab]}
          data-tip={withShortcut(tabNames[tab], tab)}
        >
          {tabNames[tab]}
        </a>
      ))}
    </nav>
  );
}
