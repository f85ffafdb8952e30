import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { Icon } from './icon.tsx';
import styles from './following-scroll.module.css';

interface FollowingScrollProps {
  /** Accessible name of the log. */
  readonly name: string;
  /** Content, which changes identity when something was added at the end. */
  readonly content: readonly unknown[];
  /** Id of the first line, ascending with the lines. Where lines come before it, what is read stays where it is. */
  readonly firstId?: string | undefined;
  /** Whether somebody reads the past, so that what comes is not read out. */
  readonly isPast?: boolean | undefined;
  readonly children: ReactNode;
}

/** Distance from the end that still counts as being there: less than one row. */
const END_WITHIN_PX = 12;

/**
 * Log that stays at its end while new lines come. They never move what is being read: it follows only while
 * it stands at its end and the pointer is elsewhere.
 */
export function FollowingScroll({ name, content, firstId, isPast, children }: FollowingScrollProps) {
  const list = useRef<HTMLDivElement>(null);
  const isPointerInside = useRef(false);
  const isFollowing = useRef(true);
  const hadContent = useRef(false);
  const heightPx = useRef<number>(undefined);
  const first = useRef<FirstLine>({ id: firstId, element: null, topPx: 0 });
  const [isAtEnd, setAtEnd] = useState(true);

  const watchScroll = () => {
    // Scrolling that a resize causes is ignored because nobody asked for it; it may come before the
    // observer's call.
    if (list.current !== null && list.current.clientHeight !== heightPx.current) return;
    if (list.current !== null) first.current = firstLineOf(list.current, first.current.id);
    isFollowing.current = list.current === null || isScrolledToEnd(list.current);
    setAtEnd(isFollowing.current);
  };

  useLayoutEffect(() => {
    // An empty log may be filled under the pointer because nothing there is being read.
    const isHeld = isPointerInside.current && hadContent.current;
    const { id, element, topPx } = first.current;
    const hasEarlier = id !== undefined && firstId !== undefined && firstId < id;
    if (isFollowing.current && !isHeld && !hasEarlier) scrollToEnd(list.current);
    else if (hasEarlier && element && list.current) list.current.scrollTop = element.offsetTop - topPx;
    hadContent.current = content.length > 0;
    if (list.current !== null) first.current = firstLineOf(list.current, firstId);
  }, [content, firstId]);

  useEffect(() => {
    const element = list.current;
    if (element === null) return;
    // A smaller window keeps the end in view, else the place of the reader.
    const resized = new ResizeObserver(() => {
      heightPx.current = element.clientHeight;
      const isHeld = isPointerInside.current || element.contains(document.activeElement);
      if (isFollowing.current && !isHeld) scrollToEnd(element);
      else setAtEnd(isScrolledToEnd(element));
    });
    resized.observe(element);
    return () => resized.disconnect();
  }, []);

  return (
    <div className={styles.frame}>
      <div
        ref={list}
        role="log"
        aria-label={name}
        aria-live={isPast === true ? 'off' : undefined}
        tabIndex={0}
        className={styles.log}
        onScroll={watchScroll}
        onPointerEnter={() => (isPointerInside.current = true)}
        onPointerLeave={() => (isPointerInside.current = false)}
      >
        {children}
      </div>
      {!isAtEnd && (
        <button type="button" className={styles.newest} onClick={() => scrollToEnd(list.current)}>
          <Icon name="down" size={14} /> Newest
        </button>
      )}
    </div>
  );
}

const isScrolledToEnd = (list: HTMLElement): boolean =>
  list.scrollHeight - list.scrollTop - list.clientHeight < END_WITHIN_PX;

/** What others are measured by when they come before it. */
interface FirstLine {
  readonly id: string | undefined;
  readonly element: HTMLElement | null;
  /** Its distance from the upper edge of the view; negative above. */
  readonly topPx: number;
}

function firstLineOf(list: HTMLElement, id: string | undefined): FirstLine {
  const element = list.querySelector<HTMLElement>('[data-event]');
  return { id, element, topPx: (element?.offsetTop ?? 0) - list.scrollTop };
}

function scrollToEnd(list: HTMLElement | null): void {
  if (list !== null) list.scrollTop = list.scrollHeight;
}
