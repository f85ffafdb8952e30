import {
  type FocusEvent,
  memo,
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { PanelEvent } from '../../shared/domain.ts';
import { formatCount } from '../format/figures.ts';
import { groupIncidents } from '../format/incidents.ts';
import { countNewer, foldAlike, newestFirst, olderThan } from '../format/log-order.ts';
import { Icon } from '../ui/icon.tsx';
import { DrawnItems } from './drawn-items.tsx';
import { OpenRowsContext, useOpenRows } from './open-rows.ts';

const NEWER =
  'absolute top-4 left-1/2 flex items-center gap-4 h-24 pr-8 pl-12 border border-strong-line rounded-full bg-raised ' +
  '[box-shadow:var(--shadow-pop)] text-12 font-medium -translate-x-1/2 hover:bg-hover';

interface EventLogProps {
  /** Events of all servers shown, oldest first. They are grouped into incidents before `isAskedFor` filters them. */
  readonly events: readonly PanelEvent[];
  /** Filter of events; all by default. An incident is shown whole if one of its events matches. Must be referentially stable. */
  readonly isAskedFor?: (event: PanelEvent) => boolean;
  /** True if rows name their server, which is not needed on the page of a server. */
  readonly hasServer: boolean;
  /** True if only a few rows of the log are visible, so that the heading "Today" is left out. */
  readonly isShort?: boolean;
  /** Text shown if there are no events. */
  readonly emptyWords: string;
  /** Earlier events that each get their own row, oldest first. Must be referentially stable. */
  readonly single?: readonly PanelEvent[];
  /** True if the user is viewing the past, so that screen readers do not announce new events. */
  readonly isPast?: boolean;
  /** Content below the oldest event. */
  readonly foot?: ReactNode;
}

/**
 * Log of events, newest first. Events with one cause share a row that shows the latest of them, as do events with the same text
 * from several servers. Rows do not move while the user reads: a button leads to newer events instead. Memoized, so that it
 * does not render again with the figures around it.
 */
export const EventList = memo(function EventLog(props: EventLogProps) {
  const { events, isAskedFor, hasServer, isShort = false, emptyWords, foot, single, isPast = false } = props;
  const all = useMemo(() => groupIncidents(events), [events]);
  const before = useMemo(() => single?.flatMap((event) => groupIncidents([event])) ?? [], [single]);
  const items = useMemo(() => {
    const asked = isAskedFor === undefined ? all : all.filter((entry) => entry.events.some(isAskedFor));
    return foldAlike(newestFirst([...before, ...asked]));
  }, [before, all, isAskedFor]);
  const { shown, list, handlers, watchScroll, catchUp } = useHeld(items, olderThan);
  const newer = useMemo(() => (shown === items ? 0 : countNewer(items, shown)), [items, shown]);
  const openRows = useOpenRows();
  return (
    <div className="flex min-h-0 flex-1 relative" {...handlers}>
      <div
        ref={list}
        role="log"
        aria-label="Events"
        aria-live={isPast ? 'off' : undefined}
        tabIndex={0}
        className="min-w-0 flex-1 pb-8 overflow-auto [scrollbar-gutter:stable] focus-visible:-outline-offset-2"
        onScroll={watchScroll}
      >
        <OpenRowsContext value={openRows}>
          {shown.length === 0 ? (
            <p className="px-16 py-8 text-dim">{emptyWords}</p>
          ) : (
            <DrawnItems items={shown} scroller={list} hasServer={hasServer} isShort={isShort} />
          )}
        </OpenRowsContext>
        {foot}
      </div>
      {newer > 0 && (
        <button type="button" className={NEWER} onClick={catchUp}>
          {formatCount(newer)} newer <Icon name="up" size={14} />
        </button>
      )}
    </div>
  );
});

interface Held<T> {
  /** Content to show: the frozen content while the user reads it, otherwise the current content. */
  readonly shown: readonly T[];
  /** Scroll container. */
  readonly list: RefObject<HTMLDivElement | null>;
  readonly watchScroll: () => void;
  /** Handlers for the element that contains the scroll container and everything drawn over it. */
  readonly handlers: {
    readonly onPointerMove: (event: PointerEvent) => void;
    readonly onPointerLeave: () => void;
    readonly onFocus: (event: FocusEvent<HTMLElement>) => void;
    readonly onBlur: (event: FocusEvent<HTMLElement>) => void;
  };
  /** Shows the current content and scrolls to its start. */
  readonly catchUp: () => void;
}

/** Maximum scroll offset in px that still counts as the start of the list. */
const START_WITHIN_PX = 4;

/** Milliseconds after which a resting pointer no longer counts as reading. */
const LEFT_AFTER_MS = 5000;

/**
 * Freezes the content of a list that starts with the newest item while the user reads it: while the pointer moves over the
 * list, the keyboard focus is in it, or it is scrolled. @param withOlder returns the frozen content followed by the older items
 * of the current content
 */
function useHeld<T>(
  content: readonly T[],
  withOlder: (held: readonly T[], content: readonly T[]) => readonly T[],
): Held<T> {
  const list = useRef<HTMLDivElement>(null);
  const isPointerInside = useRef(false);
  const isFocusInside = useRef(false);
  const [held, setHeld] = useState<readonly T[]>();

  // Content that is already frozen stays. An empty list is never frozen, so it is filled even if the pointer is over it.
  const hold = () => setHeld((before) => before ?? (content.length === 0 ? undefined : content));
  const releaseIfUnread = () => {
    if (!isPointerInside.current && !isFocusInside.current && !isScrolled(list.current)) setHeld(undefined);
  };
  const pointer = useReadingPointer((isReading) => {
    isPointerInside.current = isReading;
    if (isReading) hold();
    else releaseIfUnread();
  });
  const shown = useMemo(
    () => (held === undefined ? content : withOlder(held, content)),
    [held, content, withOlder],
  );
  return {
    shown,
    list,
    watchScroll: () => {
      if (isScrolled(list.current)) hold();
      else releaseIfUnread();
    },
    handlers: {
      ...pointer,
      onFocus: ({ target }) => {
        // Only keyboard focus counts as reading, because focus set by a click remains long after the click.
        if (target === list.current || !target.matches(':focus-visible')) return;
        isFocusInside.current = true;
        hold();
      },
      onBlur: ({ relatedTarget, currentTarget }) => {
        if (relatedTarget instanceof Node && currentTarget.contains(relatedTarget)) return;
        isFocusInside.current = false;
        releaseIfUnread();
      },
    },
    catchUp: () => {
      setHeld(content);
      // Focus moves to the list, because it would be lost when the button disappears.
      list.current?.focus({ preventScroll: true });
      if (list.current !== null) list.current.scrollTop = 0;
    },
  };
}

/** Returns pointer handlers that report whether a moving pointer is over the list. */
function useReadingPointer(onChange: (isReading: boolean) => void) {
  const position = useRef<string>(undefined);
  const restTimer = useRef<number>(undefined);
  useEffect(() => () => window.clearTimeout(restTimer.current), []);
  const leave = () => onChange(false);
  return {
    onPointerMove: ({ screenX, screenY }: PointerEvent) => {
      // Chromium also reports a move when the page has moved below a resting pointer.
      const before = position.current;
      position.current = `${screenX},${screenY}`;
      if (before === undefined || before === position.current) return;
      onChange(true);
      window.clearTimeout(restTimer.current);
      restTimer.current = window.setTimeout(leave, LEFT_AFTER_MS);
    },
    onPointerLeave: leave,
  };
}

const isScrolled = (list: HTMLElement | null): boolean => (list?.scrollTop ?? 0) > START_WITHIN_PX;
