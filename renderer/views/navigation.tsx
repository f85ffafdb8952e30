import type { ReactNode } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { severityOrder, shownState, type StateKind } from '../../shared/server-states.ts';
import { formatCount, formatCpu, formatMemory, formatPlural } from '../format/figures.ts';
import { addUp } from '../format/totals.ts';
import { withShortcut, type KeyCommand } from '../keyboard.ts';
import { hrefOf, type Route } from '../store/route-store.ts';
import { useSettings } from '../settings/use-settings.ts';
import { usePanel, useRoute } from '../services.ts';
import { Icon } from '../ui/icon.tsx';
import { SchemeToggle } from './scheme-toggle.tsx';
import { StateShape } from '../ui/state-shape.tsx';
import styles from './navigation.module.css';

/** Navigation, with the total cost of all servers at its foot. */
export function Navigation() {
  const route = useRoute();
  const count = usePanel((state) => state.names.length);
  const hasSettings = useSettings() !== undefined;
  const worst = usePanel(({ servers }) => worstKind(Object.values(servers).map(shownState)));
  return (
    <nav className={styles.navigation} aria-label="Views">
      <ul>
        <Item
          to={{ view: 'servers' }}
          label="Servers"
          command="servers"
          isCurrent={route.view === 'servers' || route.view === 'server'}
        >
          <span className={styles.sign}>
            <StateShape kind={worst ?? 'stopped'} />
          </span>
          <span className={styles.label}>Servers</span>
          {count > 0 && <span className={styles.count}>{formatCount(count)}</span>}
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
      <Foot count={count} />
    </nav>
  );
}

interface ItemProps {
  readonly to: Route;
  readonly label: string;
  readonly command: KeyCommand;
  readonly isCurrent: boolean;
  readonly children: ReactNode;
}

function Item({ to, label, command, isCurrent, children }: ItemProps) {
  return (
    <li>
      <a
        className={isCurrent ? styles.current : styles.item}
        href={hrefOf(to)}
        aria-label={label}
        aria-current={isCurrent ? 'page' : undefined}
        data-tip={withShortcut(label, command)}
      >
        {children}
      </a>
    </li>
  );
}

function Foot({ count }: { readonly count: number }) {
  const { memoryBytes, cpuPercent, countsSharedOnce } = usePanel(
    useShallow(({ servers }) => addUp(Object.values(servers))),
  );
  const counted = countsSharedOnce ? '; memory that they share counts once' : '';
  return (
    <div className={styles.foot}>
      {count > 0 && (
        <p className={styles.totals} data-tip={`All servers together${counted}`}>
          <span>{formatPlural(count, 'server')}</span>
          <span className={styles.figures}>
            <span>{formatMemory(memoryBytes)}</span>
            <span>{formatCpu(cpuPercent)} CPU</span>
          </span>
        </p>
      )}
      <SchemeToggle />
    </div>
  );
}

const worstKind = (kinds: readonly StateKind[]): StateKind | undefined =>
  severityOrder.find((kind) => kinds.includes(kind));
