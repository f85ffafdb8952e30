import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useStore } from 'zustand/react';
import { isSelected, pressed } from './line-selection.ts';
import { LogRowView, type RowAction } from './log-row.tsx';
import { actOnKey } from './log-keys.ts';
import { indexOfId, indexUpTo } from './line-scan.ts';
import { isDivider, type LogRow } from './log-rows.ts';
import { useHighlights } from './use-highlights.ts';
import type { ShownLog } from './use-shown-log.ts';
import { useTextSelection } from './use-text-selection.ts';
import { useVirtualRows, type VirtualRows } from './use-virtual-rows.ts';
import { formatPlural } from '../format/figures.ts';
import { colourOf } from '../format/server-colours.ts';
import { useColours } from '../services.ts';
import { Icon } from '../ui/icon.tsx';
import { useToggles } from '../ui/use-toggles.ts';
import { LogFollower, type RenderedLog } from './log-follower.ts';

interface LogListProps {
  readonly shown: ShownLog;
  /** Content shown instead of the rows if there are none. */
  readonly children: ReactNode;
}

// The list preserves the scroll position when lines are added or removed. `overflow-anchor:none` keeps the browser from doing
// the same.
const logLook =
  'flex-1 min-w-0 pt-2 pb-8 [overflow-anchor:none] [scrollbar-gutter:stable] focus-visible:-outline-offset-2';

/** Rows of a log; only rows in view are in the DOM. */
export function LogList({ shown, children }: LogListProps) {
  const { held, search, steps, toNewest, wraps } = shown;
  const scroller = useRef<HTMLDivElement>(null);
  const { kept, virtual, follower, isAtEnd, newCount } = useRowsInView(scroller, shown);
  const { open, toggle, act } = useRowActions(scroller, shown);
  useHighlights(scroller, {
    matcher: search.matcher,
    currentId: steps.target?.id,
    rows: virtual.items.map(({ row }) => row),
    open,
  });
  const lookAhead = useLookAhead(scroller, shown);
  const press = (event: KeyboardEvent) => {
    // A key press inside an expanded message, which can have the focus itself, is not handled here.
    if (event.target !== event.currentTarget) return;
    if (actOnKey(event, { ...shown, follower, toggle })) event.preventDefault();
  };
  return (
    <div className="flex min-h-0 flex-1 relative">
      <div
        ref={scroller}
        role="log"
        aria-label="Logs"
        // Screen readers must not announce added rows automatically, because the rows that appear while scrolling are not new
        // lines.
        aria-live="off"
        tabIndex={0}
        {...momentOf(shown)}
        className={`${logLook} ${wraps ? 'overflow-x-hidden overflow-y-auto' : 'overflow-auto'}`}
        data-wraps={wraps || undefined}
        onScroll={() => {
          follower.scrolled();
          lookAhead();
        }}
        onWheel={() => follower.led()}
        onPointerDown={() => follower.led()}
        onKeyDown={press}
        onCopy={(event) => kept.copy(event)}
      >
        {children}
        <div className="relative [contain:layout_style]" data-sizer style={{ height: virtual.heightPx }}>
          <ol
            className={`absolute top-0 left-0 min-w-full ${wraps ? 'w-full' : 'w-max'}`}
            style={{ transform: `translateY(${virtual.startPx}px)` }}
            onMouseDown={(event) => act(event, 'select')}
            onClick={(event) => act(event, 'open', 'context', 'pair')}
          >
            <Rows shown={shown} virtual={virtual} open={open} />
          </ol>
        </div>
      </div>
      {!isAtEnd && (
        <NewestButton count={newCount} onClick={() => (held.hasNewer ? toNewest() : follower.toEnd())} />
      )}
    </div>
  );
}

/**
 * Returns attributes with the time and server of the selected line, so that the menu key opens the context menu for that line.
 */
function momentOf({ lines, selection }: ShownLog) {
  const line = selection && lines[indexOfId(lines, selection.head)];
  return { 'data-moment': line?.at, 'data-moment-server': line?.server ?? undefined };
}

/** Returns the state of the rows in view: the rows, the text selected in them, and the scroll position. */
function useRowsInView(scroller: RefObject<HTMLElement | null>, shown: ShownLog) {
  const { rows, lines, held, log, search, steps, wraps, selection, isFiltering, isOfOne } = shown;
  const kept = useTextSelection(scroller, lines);
  const virtual = useVirtualRows({
    scroller,
    rows,
    wraps,
    besideTextPx: isOfOne ? 152 : 280,
    kept: kept.ids,
  });
  const following = useFollowing(scroller, {
    virtual,
    rows,
    filterKey: isFiltering ? JSON.stringify(search.answers) : '',
    target: steps.target,
    isSearching: search.matcher !== undefined,
    windowId: held.windowId,
    placeId: held.placeId,
    isTail: !held.hasNewer,
    isHeld: kept.isSelecting || selection !== undefined,
    layoutKey: virtual.layoutKey,
  });
  const { isAtEnd } = following;
  useEffect(() => {
    log.follow(isAtEnd);
  }, [log, isAtEnd]);
  return { kept, virtual, ...following };
}

interface RowsProps extends Pick<LogListProps, 'shown'> {
  readonly virtual: VirtualRows;
  readonly open: ReadonlySet<number>;
}

function Rows({ shown: { selection, steps, isFiltering, isOfOne }, virtual, open }: RowsProps) {
  const colours = useColours();
  return virtual.items.map(({ row, gapPx }) => (
    <LogRowView
      key={row.id}
      row={row}
      gapPx={gapPx}
      isSelected={isSelected(selection, row.id)}
      isCurrent={row.id === steps.target?.id}
      isOpen={open.has(row.id)}
      hasContext={isFiltering}
      colour={isDivider(row) || isOfOne ? undefined : colourOf(row.server ?? undefined, colours)}
      measure={virtual.measure}
    />
  ));
}

/** Returns the ids of the expanded rows, and the function that handles a click on a part of a row. */
function useRowActions(
  scroller: RefObject<HTMLElement | null>,
  { lines, selection, select, showContext, showPair }: ShownLog,
) {
  const { on: open, toggle } = useToggles<number>();
  const act = (event: MouseEvent, ...actions: RowAction[]) => {
    const pressedRow = pressedPart(event, actions);
    if (pressedRow === undefined) return;
    const { id, action } = pressedRow;
    if (action === 'open') toggle(id);
    const line = lines[indexOfId(lines, id)];
    if (action === 'pair' && line !== undefined) showPair(line);
    if (action === 'context') showContext(id);
    if (action !== 'select') return;
    // A press on this part of a row selects whole lines, so the browser must not begin a text selection.
    event.preventDefault();
    scroller.current?.focus();
    select(pressed(selection, id, event.shiftKey));
  };
  return { open, toggle, act };
}

/** Requests more lines before the user scrolls to an edge: after each render, and whenever the returned function is called. */
function useLookAhead(scroller: RefObject<HTMLElement | null>, { held, log }: ShownLog): () => void {
  const lookAhead = () => {
    const element = scroller.current;
    if (element === null) return;
    const { scrollTop, clientHeight, scrollHeight } = element;
    if (held.hasOlder && scrollTop < AHEAD_PX) void log.more('older');
    else if (held.hasNewer && scrollHeight - clientHeight - scrollTop < AHEAD_PX) void log.more('newer');
  };
  useEffect(lookAhead);
  return lookAhead;
}

/** Distance in px from an edge at which more lines are requested: several screens, because an answer takes time. */
const AHEAD_PX = 2000;

/** Returns the row action under the pointer; undefined if the click hit none of `actions`. */
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

interface NewestButtonProps {
  /** Number of lines below the last line that was seen at the end. */
  readonly count: number;
  readonly onClick: () => void;
}

const newestLook =
  'absolute right-20 bottom-12 flex items-center gap-4 h-28 pr-12 pl-8 [box-shadow:var(--shadow-pop)]';

/** Button that scrolls to the end of a log and counts the new lines there. */
function NewestButton({ count, onClick }: NewestButtonProps) {
  return (
    <button
      type="button"
      className={`${newestLook} border border-strong-line rounded-full bg-ground text-12/16 hover:bg-hover`}
      data-tip="To the newest line  End"
      onClick={onClick}
    >
      <Icon name="down" size={14} /> {count === 0 ? 'Newest' : formatPlural(count, 'new line')}
    </button>
  );
}

interface Following {
  readonly follower: LogFollower;
  readonly isAtEnd: boolean;
  /** Number of lines below the last line that was seen at the end. */
  readonly newCount: number;
}

/** Keeps a log at its scroll position, or at its end while the user follows new lines. */
function useFollowing(
  scroller: RefObject<HTMLElement | null>,
  log: Omit<RenderedLog, 'scroller'>,
): Following {
  const [follower] = useState(() => new LogFollower());
  const leftAt = useStore(follower.state, (state) => state.leftAt);
  useLayoutEffect(() => {
    if (scroller.current !== null) follower.rendered({ ...log, scroller: scroller.current });
  });
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const resized = new ResizeObserver(() => follower.resized());
    resized.observe(element);
    return () => {
      resized.disconnect();
      follower.dispose();
    };
  }, [scroller, follower]);
  // If the newest lines are not loaded, their number is unknown, and no count is shown.
  const newCount =
    leftAt === undefined || leftAt === -Infinity || !log.isTail ? 0 : linesAfter(log.rows, leftAt);
  return { follower, isAtEnd: leftAt === undefined, newCount };
}

function linesAfter(rows: readonly LogRow[], id: number): number {
  return rows.slice(indexUpTo(rows, id) + 1).filter((row) => !isDivider(row)).length;
}
