import type { ServerView } from '../../shared/domain.ts';
import { withShortcut } from '../commands/shortcuts.ts';
import { formatCount, restartsMeaning } from '../format/figures.ts';
import { hrefOf, serverTabs, type ServerTab } from '../store/route-store.ts';
import { Unseen } from '../ui/page.tsx';
import styles from './page-tabs.module.css';

export const tabNames: Readonly<Record<ServerTab, string>> = {
  overview: 'Overview',
  calls: 'Calls',
  tools: 'Tools',
  sessions: 'Sessions',
  logs: 'Logs',
  restarts: 'Restarts',
  configuration: 'Configuration',
};

interface PageTabsProps {
  readonly server: Pick<ServerView, 'name' | 'restarts24h'>;
  readonly current: ServerTab;
}

/** Sections of a server's page, as links so that each has its own entry in the browser history. */
export function PageTabs({ server: { name, restarts24h = 0 }, current }: PageTabsProps) {
  return (
    <nav className={styles.tabs} aria-label={`Sections of ${name}`}>
      {serverTabs.map((tab) => (
        <a
          key={tab}
          className={tab === current ? styles.current : styles.tab}
          href={hrefOf({ view: 'server', name, tab })}
          aria-current={tab === current ? 'page' : undefined}
          data-words={tabNames[tab]}
          data-tip={withShortcut(tabNames[tab], tab)}
        >
          {tabNames[tab]}
          {tab === 'restarts' && restarts24h > 0 && (
            <span className={styles.count} data-tip={restartsMeaning}>
              {formatCount(restarts24h)}
              <Unseen> in 24 h</Unseen>
            </span>
          )}
        </a>
      ))}
    </nav>
  );
}
