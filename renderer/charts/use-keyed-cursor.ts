import { useCallback, useState, type KeyboardEvent } from 'react';
import { changesWindow } from './cursor-control.tsx';
import { useEscape } from './use-escape.ts';
import type { SpanWindow } from './use-span-window.ts';

interface KeyedCursor<Cursor> {
  readonly cursor: Cursor | undefined;
  /** The pointer is over the charts, where it places the cursor or means nothing, or it has left them. */
  readonly point: (isOver: boolean, cursor: Cursor | undefined) => void;
  /** A key changes the window, or else moves the cursor to where `moved` says, if it says anything. */
  readonly press: (event: KeyboardEvent, moved: (from: Cursor | undefined) => Cursor | undefined) => void;
  /** The keyboard goes elsewhere. */
  readonly leave: () => void;
}

/** Cursor through charts that pointer and keyboard place. The window stands still under it; Escape takes it away, then goes back. */
export function useKeyedCursor<Cursor extends { readonly at: number }>({
  window,
  control,
}: Pick<SpanWindow, 'window' | 'control'>): KeyedCursor<Cursor> {
  const { hold, release, back, isZoomed } = control;
  const [cursor, setCursor] = useState<Cursor>();
  /** Whether the keyboard placed the cursor, so that Escape takes it away before it goes back. */
  const [isKeyed, setKeyed] = useState(false);
  const leave = useCallback(() => {
    setKeyed(false);
    setCursor(undefined);
  }, []);
  const escape = useCallback(() => (isKeyed ? leave() : back()), [isKeyed, leave, back]);
  useEscape(isKeyed || isZoomed, escape);
  return {
    cursor,
    leave,
    point: (isOver, placed) => {
      if (isOver) hold();
      else release();
      setKeyed(false);
      setCursor(placed);
    },
    press: (event, moved) => {
      if (!changesWindow(event.key, { control, window, at: cursor?.at })) {
        const placed = moved(cursor);
        if (placed === undefined) return;
        hold();
        setCursor(placed);
        setKeyed(true);
      }
      event.preventDefault();
    },
  };
}
