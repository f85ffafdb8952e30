import type { PanelEvent } from '../../shared/domain.ts';
import { formatDay, formatDayName } from '../format/moments.ts';
import { useNow } from '../store/services.ts';
import { EventRow } from './event-row.tsx';
import { FollowingScroll } from './following-scroll.tsx';
import styles from './event-log.module.css';

interface EventLogProps {
  /** Oldest first. */
  readonly events: readonly PanelEvent[];
  /** Whether rows name their server; on the page of one they need not. */
  readonly hasServer: boolean;
  /** What stands there without events. */
  readonly emptyWords: string;
}

/** Events in the order they happened, the newest at the end and in view. */
export function EventLog({ events, hasServer, emptyWords }: EventLogProps) {
  return (
    <FollowingScroll name="Events" content={events}>
      {events.length === 0 ? (
        <p className={styles.empty}>{emptyWords}</p>
      ) : (
        <Days events={events} hasServer={hasServer} />
      )}
    </FollowingScroll>
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
