import type { KeyboardEvent } from 'react';
import { callMeanings } from '../format/call-figures.ts';
import { figureMeanings, formatCount } from '../format/figures.ts';
import type { ServerGroup } from '../format/server-list.ts';
import { useView } from '../services.ts';
import { ServerRow } from './server-row.tsx';
import styles from './server-list.module.css';

/** Servers in the order given, which is the caller's promise to keep stable. */
export function ServerList({ groups }: { readonly groups: readonly ServerGroup[] }) {
  const showsCalls = useView((state) => state.showsCalls);
  const look = showsCalls ? `${styles.table} ${styles.withCalls}` : styles.table;
  return (
    <div role="table" aria-label="Servers" className={look} onKeyDown={moveBetweenRows}>
      {/* No row of the table: each row is a server. To a screen reader the cells name their figures themselves. */}
      <div className={styles.header} aria-hidden="true">
        <span>Server</span>
        <span>State</span>
        <span className={styles.right} data-tip={figureMeanings.memory}>
          Memory
        </span>
        <span className={styles.right} data-tip={figureMeanings.cpu}>
          CPU
        </span>
        <span className={`${styles.right} ${styles.processes}`}>Processes</span>
        <span className={`${styles.right} ${styles.restarts}`}>Restarts</span>
        {showsCalls && (
          <span className={styles.right} data-tip={callMeanings.calls}>
            Calls/min
          </span>
        )}
        <span className={styles.right}>Uptime</span>
        <span />
      </div>
      {groups.map(({ title, names }) => (
        <div key={title} role="rowgroup" {...(title !== '' && { 'aria-label': title })}>
          {title !== '' && (
            <div className={styles.title} aria-hidden="true">
              {title} <span className={styles.count}>{formatCount(names.length)}</span>
            </div>
          )}
          {names.map((name) => (
            <ServerRow key={name} name={name} />
          ))}
        </div>
      ))}
    </div>
  );
}

/** Up and down keep to the column: from one Stop button to the next, across groups. */
function moveBetweenRows(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  const focused = event.target instanceof HTMLElement ? event.target : undefined;
  const row = focused?.closest<HTMLElement>('[role="row"]');
  if (row === null || row === undefined) return;
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="row"]')];
  const next = rows[rows.indexOf(row) + (event.key === 'ArrowDown' ? 1 : -1)];
  if (next === undefined) return;
  const control = focused?.dataset['control'];
  const same =
    control === undefined ? null : next.querySelector<HTMLButtonElement>(`[data-control="${control}"]`);
  const target = same?.disabled === false ? same : next.querySelector<HTMLElement>('[data-home]');
  event.preventDefault();
  target?.focus();
}
