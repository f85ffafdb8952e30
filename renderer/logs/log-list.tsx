import { useRef, useState, type KeyboardEvent, type MouseEvent, type ReactNode } from 'react';
import { copyText } from '../ui/clipboard.ts';
import type { LogLine } from '../format/log-lines.ts';
import {
  asText,
  extended,
  isSelected,
  pressed,
  selectedLines,
  type LineSelection,
} from './line-selection.ts';
import type { LogFollower } from './log-follower.ts';
import { LogRowView, type RowAction } from './log-row.tsx';
import type { LogRow } from './log-rows.ts';
import type { LogSearchState } from './log-search.ts';
import { NewestButton } from './newest-button.tsx';
import { useFollowing } from './use-following.ts';
import { useHighlights } from './use-highlights.ts';
import type { LogTarget } from './use-hit-steps.ts';
import { useTextSelection } from './use-text-selection.ts';
import { useVirtualRows } from './use-virtual-rows.ts';
import styles from './log-list.module.css';

interface LogListProps {
  readonly rows: readonly LogRow[];
  /** Lines of the rows, without the headings. */
  readonly lines: readonly LogLine[];
  /** Filter of the rows; empty where all lines are shown. */
  readonly filterKey: string;
  readonly search: LogSearchState;
  readonly wraps: boolean;
  readonly target: LogTarget | undefined;
  readonly selection: LineSelection | undefined;
  readonly onSelect: (selection: LineSelection | undefined) => void;
  readonly onSelectAll: () => void;
  readonly onShowContext?: (id: number) => void;
  /** Words in the place of the rows where there are none. */
  readonly children: ReactNode;
}

/** Rows of a log, of which only those in view are in the page. */
export function LogList(props: LogListProps) {
  const { rows, lines, filterKey, search, wraps, target, selection, onSelect, onShowContext } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const kept = useTextSelection(scroller, lines);
  const virtual = useVirtualRows({ scroller, rows, wraps, kept: kept.ids });
  const { follower, isAtEnd, newCount } = useFollowing(scroller, {
    virtual,
    rows,
    filterKey,
    target,
    isSearching: search.matcher !== undefined,
    isHeld: kept.isSelecting || selection !== undefined,
    layoutKey: virtual.layoutKey,
  });
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  useHighlights(scroller, {
    matcher: search.matcher,
    currentId: target?.id,
    rows: virtual.items.map(({ row }) => row),
    open,
  });

  const press = (event: KeyboardEvent) => {
    if (actOnKey(event, props, follower)) event.preventDefault();
  };
  const act = (event: MouseEvent, ...actions: RowAction[]) => {
    const pressedRow = pressedPart(event, actions);
    if (pressedRow === undefined) return;
    const { id, action } = pressedRow;
    if (action === 'open') setOpen(new Set([...open, id]));
    if (action === 'context') onShowContext?.(id);
    if (action !== 'select') return;
    // The press selects lines, not text.
    event.preventDefault();
    scroller.current?.focus();
    onSelect(pressed(selection, id, event.shiftKey));
  };
  return (
    <div className={styles.frame}>
      <div
        ref={scroller}
        role="log"
        aria-label="Logs"
        // Rows that scrolling brings into the page are no news, so nothing is announced by itself.
        aria-live="off"
        tabIndex={0}
        className={styles.log}
        data-wraps={wraps || undefined}
        onScroll={() => follower.scrolled()}
        onWheel={() => follower.led()}
        onPointerDown={() => follower.led()}
        onKeyDown={press}
        onCopy={(event) => kept.copy(event)}
      >
        {props.children}
        <div className={styles.sizer} data-sizer style={{ height: virtual.heightPx }}>
          <ol
            className={styles.rows}
            style={{ transform: `translateY(${virtual.startPx}px)` }}
            onMouseDown={(event) => act(event, 'select')}
            onClick={(event) => act(event, 'open', 'context')}
          >
            {virtual.items.map(({ row, gapPx }) => (
              <LogRowView
                key={row.id}
                row={row}
                gapPx={gapPx}
                isSelected={isSelected(selection, row.id)}
                isCurrent={row.id === target?.id}
                isOpen={open.has(row.id)}
                hasContext={onShowContext !== undefined}
                measure={virtual.measure}
              />
            ))}
          </ol>
        </div>
      </div>
      {!isAtEnd && <NewestButton count={newCount} onClick={() => follower.toEnd()} />}
    </div>
  );
}

/** Part of a row under a press, if it is one that does any of these. */
function pressedPart(
  { target }: MouseEvent,
  actions: readonly RowAction[],
): { readonly id: number; readonly action: RowAction } | undefined {
  if (!(target instanceof Element)) return undefined;
  const does = target.closest('[data-does]')?.getAttribute('data-does');
  const action = actions.find((one) => one === does);
  const id = Number(target.closest('[data-line]')?.getAttribute('data-line'));
  return action === undefined ? undefined : { id, action };
}

/** Acts on a key press inside the log; tells whether the key means something here. */
function actOnKey(
  event: KeyboardEvent,
  { lines, target, selection, onSelect, onSelectAll }: LogListProps,
  follower: LogFollower,
): boolean {
  const isModified = event.ctrlKey || event.metaKey;
  switch (isModified ? `Mod+${event.key.toLowerCase()}` : event.key) {
    case 'Home':
      follower.toStart();
      return true;
    case 'End':
      follower.toEnd();
      return true;
    case 'Mod+a':
      document.getSelection()?.removeAllRanges();
      onSelectAll();
      return true;
    case 'Mod+c': {
      // Text that is selected with the pointer goes the ordinary way.
      if (selection === undefined || document.getSelection()?.isCollapsed === false) return false;
      void copyText(asText(selectedLines(lines, selection)));
      return true;
    }
    case 'ArrowUp':
    case 'ArrowDown':
      if (!event.shiftKey) return false;
      onSelect(extended(selection, lines, event.key === 'ArrowUp' ? -1 : 1, target?.id ?? lines.at(-1)?.id));
      return true;
    case 'Escape':
      if (selection !== undefined) onSelect(undefined);
      return selection !== undefined;
    default:
      return false;
  }
}
