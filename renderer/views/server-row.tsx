import { memo, type MouseEvent } from 'react';
import { placeAt } from '../commands/menu-place.ts';
import { usePanel, useRoute, useServices, useView } from '../services.ts';
import { ActionError } from './action-error.tsx';
import { clickRow } from './click-row.ts';
import { useWatchedRow } from './near-rows.ts';
import { RowCells } from './row-cells.tsx';
import styles from './server-list.module.css';

interface ServerRowProps {
  readonly name: string;
  /** Whether a card shows the reason for the state, so that the row shows only the state. */
  readonly isTold: boolean;
  /** Whether the row is drawn in full. Otherwise it shows only the name, which costs nothing when figures come. */
  readonly isDrawn: boolean;
}

/** Row of one server. */
export const ServerRow = memo(function ServerRow({ name, isTold, isDrawn }: ServerRowProps) {
  const services = useServices();
  const route = useRoute();
  const watch = useWatchedRow();
  const isThere = usePanel(({ servers }) => servers.has(name));
  const isSelected = useView(({ selection }) => selection.names.has(name));
  if (!isThere) return null;
  const isOpen = route.view === 'server' && route.name === name;
  return (
    <div
      ref={watch}
      role="row"
      aria-label={name}
      className={styles.row}
      data-server={name}
      aria-selected={isSelected}
      {...(isOpen && { 'aria-current': 'page' as const })}
      onMouseDown={(event) => event.shiftKey && event.preventDefault()}
      onClick={(event: MouseEvent<HTMLElement>) => clickRow(event, name, services)}
      onContextMenu={(event) => {
        event.preventDefault();
        services.manage.setMenu(placeAt(name, event.clientX, event.clientY));
      }}
    >
      <RowCells name={name} isTold={isTold} isSelected={isSelected} isDrawn={isDrawn} />
      <ActionError server={name} className={styles.error ?? ''} />
    </div>
  );
});
