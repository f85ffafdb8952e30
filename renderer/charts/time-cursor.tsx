import { useCallback, useEffect, type KeyboardEvent as KeyPress } from 'react';
import { useServices, useView } from '../services.ts';
import { liveSpans } from '../store/span-choice.ts';
import { groupAt, isWithin, movedCursor, type CursorStops } from './chart-cursor.ts';
import { NOT_IN_PICTURES } from './dom-picture.ts';
import type { TimeWindow } from './downsample.ts';
import type { EventGroup } from './event-groups.ts';
import { openEvent } from './open-event.ts';
import { zoomInto } from './axis.ts';
import type { WindowControl } from './use-span-window.ts';

export interface TimeCursorProps {
  /** Accessible name of the cursor. */
  readonly name: string;
  readonly window: TimeWindow;
  readonly stops: CursorStops;
  /** Returns the text that describes the charts' values at an instant. */
  readonly words: (at: number) => string;
  /** Help text for the keys, visible while the cursor has the focus. */
  readonly keys?: string;
  /** Functions to scroll and zoom the time window of the charts; undefined if the time window is fixed. */
  readonly control: WindowControl | undefined;
  /** Handles a key that has a meaning only in this view; returns true if it handled the key. */
  readonly onKey?: (event: KeyPress, at: number | undefined) => boolean;
  /** Called when the cursor loses the focus. The cursor itself stays where it is. */
  readonly onBlur?: () => void;
}

const KEYS =
  'absolute right-20 bottom-26 hidden px-8 py-2 border border-line rounded-sm bg-raised ' +
  '[box-shadow:var(--shadow-card)] text-12/16 text-dim group-focus-visible:block';

/**
 * Keyboard cursor of the charts: a slider over time whose value text describes the charts at that time, so that a screen reader
 * reads it after every move. Events at the cursor are also highlighted in the list of events.
 */
export function TimeCursor({ name, window, stops, words, keys, control, onKey, onBlur }: TimeCursorProps) {
  const { view } = useServices();
  const pinnedAt = useView((state) => state.pinnedAt);
  const at = pinnedAt !== undefined && isWithin(pinnedAt, window) ? pinnedAt : undefined;
  const pointAt = (group: EventGroup | undefined) =>
    view.setState({ pointedEvents: group?.events.map(({ id }) => id) ?? [] });
  useLeaving(control);
  const press = (event: KeyPress): boolean => {
    if (onKey?.(event, at) === true) return true;
    const moved = movedCursor(at, event, stops);
    if (moved !== undefined) {
      control?.hold();
      view.setState({ pinnedAt: moved });
      pointAt(groupAt(stops.groups, moved));
      return true;
    }
    if (control !== undefined && changesWindow(event, control, window, at)) return true;
    if (event.key !== 'Enter' || at === undefined) return false;
    openEvent(groupAt(stops.groups, at)?.events[0]);
    return true;
  };
  return (
    <div
      role="slider"
      {...{ [NOT_IN_PICTURES]: '' }}
      tabIndex={0}
      data-moment={at}
      // The element covers all charts, so that the focus outline surrounds them; it lets clicks through to the charts.
      className="group absolute inset-0 pointer-events-none focus-visible:-outline-offset-2"
      aria-label={name}
      aria-valuemin={Math.round(window.from)}
      aria-valuemax={Math.round(window.to)}
      aria-valuenow={Math.round(at ?? window.to)}
      aria-valuetext={at === undefined ? 'not placed' : words(at)}
      onKeyDown={(event) => {
        const isPlain = !event.altKey || event.key === '[' || event.key === ']';
        if (!event.ctrlKey && !event.metaKey && isPlain && press(event)) event.preventDefault();
      }}
      onBlur={() => {
        pointAt(undefined);
        onBlur?.();
      }}
    >
      {keys !== undefined && (
        <span className={KEYS} aria-hidden="true">
          {keys}
        </span>
      )}
    </div>
  );
}

/** Applies a key of the time window (digit for a live time span, + and - to zoom, [ and ] to scroll). Returns true for these. */
function changesWindow(
  { key, altKey }: KeyPress,
  control: WindowControl,
  window: TimeWindow,
  at: number | undefined,
): boolean {
  const live = liveSpans[Number(key) - 1];
  if (live !== undefined) control.followTime(live.spanMs);
  else if (key === '+' || key === '=') control.zoom(zoomInto(window, at ?? window.to));
  else if (key === '-') control.zoomOut();
  else if (key === '[') control.step('earlier', altKey ? 0.5 : 1);
  else if (key === ']') control.step('later', altKey ? 0.5 : 1);
  else return false;
  return true;
}

/** Makes Escape remove the pinned cursor, and revert the zoom when pressed again. The pinned moment is shared by all views. */
function useLeaving(control: WindowControl | undefined): void {
  const { view } = useServices();
  const isPinned = useView((state) => state.pinnedAt !== undefined);
  const leave = useCallback(() => {
    if (isPinned) view.setState({ pinnedAt: undefined, pointedEvents: [] });
    else control?.back();
  }, [view, isPinned, control]);
  useEscape(isPinned || control?.isZoomed === true, leave);
}

/** Attribute of elements in which Escape acts on the charts even while an element inside has the focus. */
const CHARTS_ATTRIBUTE = 'data-charts';

/**
 * Calls `act` when Escape is pressed while `isActive` is true, before Escape would leave the view. If an element outside the
 * charts has the focus, Escape is left to that element.
 */
function useEscape(isActive: boolean, act: () => void): void {
  useEffect(() => {
    if (!isActive) return undefined;
    const press = (event: KeyboardEvent) => {
      const { target } = event;
      const isOurs =
        target === document.body ||
        (target instanceof Element && target.closest(`[${CHARTS_ATTRIBUTE}]`) !== null);
      if (event.key !== 'Escape' || !isOurs || document.querySelector('dialog[open]') !== null) return;
      event.preventDefault();
      act();
    };
    // The capture phase runs before the shortcuts of the app window, which ignore a key whose default was prevented.
    document.addEventListener('keydown', press, true);
    return () => document.removeEventListener('keydown', press, true);
  }, [isActive, act]);
}
