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
  /** Content to show: the held content while the user reads it, else the current content. */
  readonly shown: readonly T[];
  /** Scroll container. */
  readonly list: RefObject<HTMLDivElement | null>;
  readonly watchScroll: () => void;
  /** Handlers for the element around the container and everything over it. */
  readonly handlers: {
    readonly onPointerMove: (event: PointerEvent) => void;
    readonly onPointerLeave: () => void;
    readonly onFocus: (event: FocusEvent<HTMLElement>) => void;
    readonly onBlur: (event: FocusEvent<HTMLElement>) => void;
  };
  /** Shows the current content from its start. */
  readonly catchUp: () => void;
}

/** Scroll offset in px that still counts as the start of the list. */
const START_WITHIN_PX = 4;
/** Milliseconds after which a resting pointer no longer counts as reading. */
const LEFT_AFTER_MS = 5000;

/**
 * Content of a list that starts with the newest item. It is held while the user reads the list: while the pointer moves over
 * it, the keyboard focus is in it, or it is scrolled. @param withOlder returns the held content with the older items of the
 * current content
 */
export function useHeld<T>(
  content: readonly T[],
  withOlder: (held: readonly T[], content: readonly T[]) => readonly T[],
): Held<T> {
  const list = useRef<HTMLDivElement>(null);
  const isPointerInside = useRef(false);
  const isFocusInside = useRef(false);
  const [held, setHeld] = useState<readonly T[]>();

  // Content that is already held stays; an empty list is filled wherever the pointer is.
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
        // Only keyboard focus counts as reading, because the focus that a click sets stays long after the click.
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

/** Handlers that report whether a moving pointer is over the list. */
function useReadingPointer(onChange: (isReading: boolean) => void) {
  const position = useRef<string>(undefined);
  const restTimer = useRef<number>(undefined);
  useEffect(() => () => window.clearTimeout(restTimer.current), []);
  const leave = () => onChange(false);
  return {
    onPointerMove: ({ screenX, screenY }: PointerEvent) => {
      // Chromium also reports a move when the page moved below a resting pointer.
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
