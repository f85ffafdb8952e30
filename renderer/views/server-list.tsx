import type { KeyboardEvent } from 'react';
import { ServerRow } from './server-row.tsx';
import styles from './server-list.module.css';

/** Servers in the order given, which is the caller's promise to keep stable. */
export function ServerList({ names }: { readonly names: readonly string[] }) {
  return (
    <div role="table" aria-label="Servers" className={styles.table} onKeyDown={moveBetweenRows}>
      {/* No row of the table: each row is a server. To a screen reader the cells name their figures themselves. */}
      <div className={styles.header} aria-hidden="true">
        <span>Server</span>
        <span>State</span>
        <span className={styles.right}>Memory</span>
        <span className={styles.right}>CPU</span>
        <span className={`${styles.right} ${styles.processes}`}>Processes</span>
        <span className={`${styles.right} ${styles.restarts}`}>Restarts</span>
        <span className={styles.right}>Uptime</span>
        <span />
      </div>
      <div role="rowgroup">
        {names.map((name) => (
          <ServerRow key={name} name={name} />
        ))}
      </div>
    </div>
  );
}

/** Up and down keep to the column: from one Stop button to the next. */
function moveBetweenRows(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  const focused = event.target instanceof HTMLElement ? event.target : undefined;
  const row = focused?.closest('[role="row"]');
  const next = event.key === 'ArrowDown' ? row?.nextElementSibling : row?.previousElementSibling;
  if (!(next instanceof HTMLElement)) return;
  const control = focused?.dataset['control'];
  const same =
    control === undefined ? null : next.querySelector<HTMLButtonElement>(`[data-control="${control}"]`);
  const target = same?.disabled === false ? same : next.querySelector<HTMLElement>('[data-home]');
  event.preventDefault();
  target?.focus();
}
