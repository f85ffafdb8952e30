import type { ReactNode } from 'react';
import { markOrder, shownMark, type ShownMark } from '../../shared/server-states.ts';
import { formatCount } from '../format/figures.ts';
import type { CommandId } from '../commands/command-table.ts';
import { withShortcut } from '../commands/shortcuts.ts';
import { hrefOf, type Route } from '../store/route-store.ts';
import { useSettings } from '../settings/use-settings.ts';
import { usePanel, useRoute } from '../services.ts';
import { Icon } from '../ui/icon.tsx';
import { AppMark } from '../ui/app-mark.tsx';
import { StateShape } from '../ui/state-shape.tsx';
import { NavigationFoot } from './navigation-foot.tsx';
import { NavigationServers } from './navigation-servers.tsx';
import styles from './navigation.module.css';

/** Navigation: the views, the servers by name, and at the foot what all of them take of the machine. */
export function Navigation() {
  const route = useRoute();
  const count = usePanel((state) => state.names.length);
  const hasSettings = useSettings() !== undefined;
  const worst = usePanel(({ servers }) => worstKind([...servers.values()].map(shownMark)));
  return (
    <nav className={styles.navigation} aria-label="Views">
      <p className={styles.app}>
        <AppMark />
        <span>MCP Control Panel</span>
      </p>
      <ul className={styles.views}>
        <Item
          to={{ view: 'servers' }}
          label="Servers"
          command="servers"
          isCurrent={route.view === 'servers'}
          holdsCurrent={route.view === 'server'}
        >
          <span className={styles.sign}>
            <StateShape kind={worst ?? 'stopped'} />
          </span>
          <span className={styles.label}>Servers</span>
          {count > 0 && <span className={styles.count}>{formatCount(count)}</span>}
        </Item>
        <Item
          to={{ view: 'usage' }}
          label="Usage"
          command="usage"
          isCurrent={route.view === 'usage'}
          holdsCurrent={route.view === 'compare'}
        >
          <span className={styles.sign}>
            <Icon name="usage" size={14} />
          </span>
          <span className={styles.label}>Usage</span>
        </Item>
        <Item
          to={{ view: 'activity' }}
          label="Activity"
          command="activity"
          isCurrent={route.view === 'activity'}
        >
          <span className={styles.sign}>
            <Icon name="activity" size={14} />
          </span>
          <span className={styles.label}>Activity</span>
        </Item>
        <Item to={{ view: 'clients' }} label="Clients" command="clients" isCurrent={route.view === 'clients'}>
          <span className={styles.sign}>
            <Icon name="clients" size={14} />
          </span>
          <span className={styles.label}>Clients</span>
        </Item>
        <Item
          to={{ view: 'logs', query: {} }}
          label="Logs of all servers"
          command="all-logs"
          isCurrent={route.view === 'logs'}
        >
          <span className={styles.sign}>
            <Icon name="logs" size={14} />
          </span>
          <span className={styles.label}>Logs</span>
        </Item>
        {hasSettings && (
          <Item
            to={{ view: 'settings' }}
            label="Settings"
            command="settings"
            isCurrent={route.view === 'settings'}
          >
            <span className={styles.sign}>
              <Icon name="settings" size={14} />
            </span>
            <span className={styles.label}>Settings</span>
          </Item>
        )}
      </ul>
      <NavigationServers />
      {count > 0 && <NavigationFoot />}
    </nav>
  );
}

interface ItemProps {
  readonly to: Route;
  readonly label: string;
  readonly command: CommandId;
  readonly isCurrent: boolean;
  /** Whether a page below this view is open. */
  readonly holdsCurrent?: boolean;
  readonly children: ReactNode;
}

function Item({ to, label, command, isCurrent, holdsCurrent = false, children }: ItemProps) {
  return (
    <li>
      <a
        className={isCurrent ? styles.current : holdsCurrent ? styles.parent : styles.item}
        href={hrefOf(to)}
        aria-label={label}
        aria-current={isCurrent ? 'page' : holdsCurrent ? 'location' : undefined}
        data-tip={withShortcut(label, command)}
      >
        {children}
      </a>
    </li>
  );
}

const worstKind = (kinds: readonly ShownMark[]): ShownMark | undefined =>
  markOrder.find((kind) => kinds.includes(kind));
