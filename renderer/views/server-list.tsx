import { type CSSProperties, useMemo } from 'react';
import { ListScaleContext } from '../charts/list-scale.ts';
import { formatCount } from '../format/figures.ts';
import type { ServerGroup } from '../format/server-list.ts';
import { useView } from '../services.ts';
import { ListHeader } from './list-header.tsx';
import { moveBetweenRows } from './move-between-rows.ts';
import { NearRowsContext, useDrawnRows } from './near-rows.ts';
import { ServerRow } from './server-row.tsx';
import { useListScale } from './use-list-scale.ts';
import { useSelectionKeys } from './use-selection-keys.ts';
import { useShownColumns } from './use-shown-columns.ts';
import styles from './server-list.module.css';

/** Width of a character of a name, and of the content before the name, in pixels. */
const CHARACTER_PX = 7.4;
const BEFORE_NAME_PX = 44;
/** Width for the command or address below the name, in pixels; less would cut half of it. */
const ORIGIN_PX = 232;

interface ServerListProps {
  readonly groups: readonly ServerGroup[];
  /** Servers whose reason is shown by a card beside the list. */
  readonly told?: readonly string[];
}

/** List of servers in the order given, which the caller keeps stable. */
export function ServerList({ groups, told = [] }: ServerListProps) {
  const scale = useListScale();
  const look = useLook();
  const shown = useMemo(() => groups.flatMap(({ names }) => names), [groups]);
  const { drawn, nearRows } = useDrawnRows(shown);
  useSelectionKeys(shown);
  const longest = Math.max(0, ...shown.map(({ length }) => length));
  const density = useView((state) => state.density);
  // The column is as wide as the longest name, if the texts of the states leave enough room.
  const namePx = Math.ceil(longest * CHARACTER_PX) + BEFORE_NAME_PX;
  const widthPx = density === 'comfortable' ? Math.max(namePx, ORIGIN_PX) : namePx;
  const width = { '--name': `${widthPx}px` } as CSSProperties;
  return (
    <ListScaleContext value={scale}>
      <NearRowsContext value={nearRows}>
        <div
          role="table"
          aria-label="Servers"
          className={look}
          style={width}
          data-server-list
          onKeyDown={moveBetweenRows}
        >
          <ListHeader />
          {groups.map(({ title, names }) => (
            <div key={title} role="rowgroup" {...(title !== '' && { 'aria-label': title })}>
              {title !== '' && (
                <div className={styles.title} aria-hidden="true">
                  {title} <span className={styles.count}>{formatCount(names.length)}</span>
                </div>
              )}
              {names.map((name) => (
                <ServerRow key={name} name={name} isTold={told.includes(name)} isDrawn={drawn.has(name)} />
              ))}
            </div>
          ))}
        </div>
      </NearRowsContext>
    </ListScaleContext>
  );
}

/** CSS classes of the table: its columns, the height of its rows, and whether rows are selected. */
function useLook(): string {
  const { processes, restarts, calls, uptime, controls } = useShownColumns();
  const density = useView((state) => state.density);
  const isSelecting = useView((state) => state.selection.names.size > 0);
  const looks = [
    styles.table,
    styles[density],
    isSelecting && styles.selecting,
    processes && styles.withProcesses,
    restarts && styles.withRestarts,
    calls && styles.withCalls,
    uptime && styles.withUptime,
    controls && styles.withControls,
  ];
  return looks.filter(Boolean).join(' ');
}
