import { useLayoutEffect, useRef, useState } from 'react';
import type { PanelEvent } from '../../shared/domain.ts';
import { formatDay, formatDayName } from '../format/moments.ts';
import { useNow } from '../store/services.ts';
import { EventRow } from './event-row.tsx';
import { Icon } from './icon.tsx';
import styles from './event-log.module.css';

interface EventLogProps {
  /** Oldest first. */
  readonly events: readonly PanelEvent[];
  /** Whether rows name their server; on the page of one they need not. */
  readonly hasServer: boolean;
  /** What stands there without events. */
  readonly emptyWords: string;
}

/** How far from the end still counts as being there: less than one row. */
const END_WITHIN_PX = 12;

/**
 * Events in the order they happened, the newest at the end and in view. New ones never move what is being read: the log
 * follows only while it stands at its end and the pointer is elsewhere.
 */
export function EventLog({ events, hasServer, emptyWords }: EventLogProps) {
  const list = useRef<HTMLDivElement>(null);
  const isPointerInside = useRef(false);
  const isFollowing = useRef(true);
  const [isAtEnd, setAtEnd] = useState(true);

  const watchScroll = () => {
    isFollowing.current = list.current === null || isScrolledToEnd(list.current);
    setAtEnd(isFollowing.current);
  };

  useLayoutEffect(() => {
    if (isFollowing.current && !isPointerInside.current) scrollToEnd(list.current);
  }, [events]);

  return (
    <div className={styles.frame}>
      <div
        ref={list}
        role="log"
        aria-label="Events"
        tabIndex={0}
        className={styles.log}
        onScroll={watchScroll}
        onPointerEnter={() => (isPointerInside.current = true)}
        onPointerLeave={() => (isPointerInside.current = false)}
      >
        {events.length === 0 ? (
          <p className={styles.empty}>{emptyWords}</p>
        ) : (
          <Days events={events} hasServer={hasServer} />
        )}
      </div>
      {!isAtEnd && (
        <button type="button" className={styles.newest} onClick={() => scrollToEnd(list.current)}>
          <Icon name="down" size={14} /> Newest
        </button>
      )}
    </div>
  );
}

function Days({
  events,
  hasServer,
}: {
  readonly events: readonly PanelEvent[];
  readonly hasServer: boolean;
}) {
  return (
    <ol>
      {events.map((event, index) => {
        const before = events[index - 1];
        const isNewDay = before === undefined || formatDay(before.at) !== formatDay(event.at);
        return [
          isNewDay && <DayLine key={`day-${event.id}`} at={event.at} isFirst={before === undefined} />,
          <EventRow key={event.id} event={event} hasServer={hasServer} />,
        ];
      })}
    </ol>
  );
}

function DayLine({ at, isFirst }: { readonly at: number; readonly isFirst: boolean }) {
  const words = useNow((now) => formatDayName(at, now));
  // At the head of the log, where the reader takes it for granted.
  if (isFirst && words === 'Today') return null;
  return <li className={styles.day}>{words}</li>;
}

const isScrolledToEnd = (list: HTMLElement): boolean =>
  list.scrollHeight - list.scrollTop - list.clientHeight < END_WITHIN_PX;

function scrollToEnd(list: HTMLElement | null): void {
  if (list !== null) list.scrollTop = list.scrollHeight;
}
