import {
  useEffect,
  useMemo,
  useRef,
  useState,
  type FocusEvent,
  type PointerEvent,
  type RefObject,
} from 'react';

interface Held<T> {
  /** Content to show: what there was when the reader came, or what there is. */
  readonly shown: readonly T[];
  /** Element that scrolls. */
  readonly list: RefObject<HTMLDivElement | null>;
  readonly watchScroll: () => void;
  /** Handlers for the element around it, and around whatever lies over it. */
  readonly handlers: {
    readonly onPointerMove: (event: PointerEvent) => void;
    readonly onPointerLeave: () => void;
    readonly onFocus: (event: FocusEvent<HTMLElement>) => void;
    readonly onBlur: (event: FocusEvent<HTMLElement>) => void;
  };
  /** Shows what there is, at its beginning. */
  readonly catchUp: () => void;
}

/** Scrolled distance that still counts as being at the beginning. */
const START_WITHIN_PX = 4;
/** A pointer that has not moved for so long was left there, and reads nothing. */
const LEFT_AFTER_MS = 5000;

/**
 * Content of a list that begins with the newest. It stands still while somebody reads it: while the pointer
 * moves over it, the keyboard is in it, or it is scrolled.
 * @param withOlder what is held, with what of the content belongs below it
 */
export function useHeld<T>(
  content: readonly T[],
  withOlder: (held: readonly T[], content: readonly T[]) => readonly T[],
): Held<T> {
  const list = useRef<HTMLDivElement>(null);
  const isPointerInside = useRef(false);
  const isFocusInside = useRef(false);
  const [held, setHeld] = useState<readonly T[]>();

  // What is held first stays, and an empty list is filled wherever the pointer is.
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
        // Only the keyboard's focus is a sign of reading, because that of a click stays long after it.
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
      // The button is about to go, and would drop the focus.
      list.current?.focus({ preventScroll: true });
      if (list.current !== null) list.current.scrollTop = 0;
    },
  };
}

/** Handlers that tell whether a pointer moves over the list, as one does that reads. */
function useReadingPointer(onChange: (isReading: boolean) => void) {
  const position = useRef<string>(undefined);
  const restTimer = useRef<number>(undefined);
  useEffect(() => () => window.clearTimeout(restTimer.current), []);
  const leave = () => onChange(false);
  return {
    onPointerMove: ({ screenX, screenY }: PointerEvent) => {
      // Chromium tells of a move also when the page has moved below a pointer that rests.
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
