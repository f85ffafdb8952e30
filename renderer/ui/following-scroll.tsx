import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { Icon } from './icon.tsx';
import styles from './following-scroll.module.css';

interface FollowingScrollProps {
  /** Accessible name of the log. */
  readonly name: string;
  /** Content, which changes identity when something was added at the end. */
  readonly content: readonly unknown[];
  /** Filter of the content; empty where there is none. */
  readonly filter?: string;
  readonly children: ReactNode;
}

/** Place of a reader in the unfiltered content. */
interface Place {
  readonly isFollowing: boolean;
  /**
   * Anchor of the uppermost element in view that carries `data-anchor`; `offsetPx` is its distance from the
   * upper edge.
   */
  readonly anchor: string | undefined;
  readonly offsetPx: number;
}

/** Distance from the end that still counts as being there: less than one row. */
const END_WITHIN_PX = 12;
/** Distance from the upper left corner at which the first row in view is found. */
const PROBE_PX = 2;

/**
 * Log that stays at its end while new lines come. They never move what is being read: it follows only while
 * it stands at its end and the pointer is elsewhere. A filter shows the end of what it leaves; without one,
 * the log returns to its earlier place.
 */
export function FollowingScroll({ name, content, filter = '', children }: FollowingScrollProps) {
  const list = useRef<HTMLDivElement>(null);
  const isPointerInside = useRef(false);
  const isFollowing = useRef(true);
  const hadContent = useRef(false);
  const heightPx = useRef<number>(undefined);
  const shownFilter = useRef(filter);
  const place = useRef<Place>({ isFollowing: true, anchor: undefined, offsetPx: 0 });
  const [isAtEnd, setAtEnd] = useState(true);

  const watchScroll = () => {
    // Scrolling that a resize causes is ignored because nobody asked for it; it may come before the
    // observer's call.
    if (list.current !== null && list.current.clientHeight !== heightPx.current) return;
    isFollowing.current = list.current === null || isScrolledToEnd(list.current);
    setAtEnd(isFollowing.current);
    // The place is kept on every scroll because a filter hides its rows before it could be read.
    if (filter === '') place.current = { isFollowing: isFollowing.current, ...anchorOf(list.current) };
  };

  useLayoutEffect(() => {
    if (shownFilter.current !== filter) {
      shownFilter.current = filter;
      hadContent.current = content.length > 0;
      // A filter moves the log wherever the pointer is, because it was asked for.
      const wanted = filter === '' ? place.current : { ...place.current, isFollowing: true };
      isFollowing.current = wanted.isFollowing;
      const arrive = () => {
        if (wanted.isFollowing) scrollToEnd(list.current);
        else goTo(list.current, wanted);
      };
      arrive();
      // A second scroll follows because rows get their true height only when they are drawn.
      return afterNextFrame(arrive);
    }
    // An empty log may be filled under the pointer because nothing there is being read.
    const isHeld = isPointerInside.current && hadContent.current;
    if (isFollowing.current && !isHeld) scrollToEnd(list.current);
    hadContent.current = content.length > 0;
    return undefined;
  }, [content, filter]);

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

function scrollToEnd(list: HTMLElement | null): void {
  if (list !== null) list.scrollTop = list.scrollHeight;
}

function anchorOf(list: HTMLElement | null): Pick<Place, 'anchor' | 'offsetPx'> {
  const none = { anchor: undefined, offsetPx: 0 };
  if (list === null) return none;
  const { left, top } = list.getBoundingClientRect();
  const isInView = (element: Element) => element.getBoundingClientRect().bottom > top;
  // The upper edge may lie on something without an anchor, such as a heading between lines.
  const probed = document.elementFromPoint(left + PROBE_PX, top + PROBE_PX)?.closest('[data-anchor]');
  const found = probed ?? [...list.querySelectorAll('[data-anchor]')].find(isInView);
  if (!(found instanceof HTMLElement)) return none;
  return { anchor: found.dataset['anchor'], offsetPx: found.getBoundingClientRect().top - top };
}

/** Acts after the next frame. Returns the undo. */
function afterNextFrame(act: () => void): () => void {
  let frame = requestAnimationFrame(() => (frame = requestAnimationFrame(act)));
  return () => cancelAnimationFrame(frame);
}

/**
 * Scrolls to a place. Where its row is gone, the log starts at the top because only rows above the rest are
 * dropped.
 */
function goTo(list: HTMLElement | null, { anchor, offsetPx }: Place): void {
  if (list === null || anchor === undefined) return;
  const element = list.querySelector(`[data-anchor="${CSS.escape(anchor)}"]`);
  if (element === null) list.scrollTop = 0;
  else list.scrollTop += element.getBoundingClientRect().top - list.getBoundingClientRect().top - offsetPx;
}
