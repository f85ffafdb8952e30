import { Fragment, memo, useDeferredValue, useMemo, type ReactNode } from 'react';
import type { PanelEvent } from '../../shared/domain.ts';
import { groupIncidents, type LogEntry } from '../format/incidents.ts';
import { formatDay, formatDayName } from '../format/moments.ts';
import { useNow } from '../services.ts';
import { EventRow } from './event-row.tsx';
import { FollowingScroll } from '../ui/following-scroll.tsx';
import styles from './event-log.module.css';

interface EventLogProps {
  /** Events, oldest first: all of the servers shown, because incidents are found among them. */
  readonly events: readonly PanelEvent[];
  /**
   * Filter of the events; the rest of an incident is shown with each of them. Keeps its identity. Default:
   * all.
   */
  readonly isAskedFor?: (event: PanelEvent) => boolean;
  /** Whether rows name their server; on the page of a server they need not. */
  readonly hasServer: boolean;
  /** Words where there are no events. */
  readonly emptyWords: string;
  /** Events before them of which each has a row of its own, oldest first. Keeps its identity. */
  readonly single?: readonly PanelEvent[];
  /** Whether somebody reads the past, so that what comes is not read out. */
  readonly isPast?: boolean;
  /** What stands before the first event. */
  readonly head?: ReactNode;
}

/** Rows that are drawn at once: more than a view holds. The others follow in slices that let the page breathe. */
const FIRST_ROWS = 60;

/**
 * Log of events in their order, those of one cause in one row, the newest at the end and in view. It does not
 * render with the figures around it.
 */
export const EventLog = memo(function EventLog(props: EventLogProps) {
  const { events, isAskedFor, hasServer, emptyWords, head, single, isPast } = props;
  const all = useMemo(() => groupIncidents(events), [events]);
  const before = useMemo(() => single?.flatMap((event) => groupIncidents([event])) ?? [], [single]);
  const entries = useMemo(() => {
    const asked = isAskedFor === undefined ? all : all.filter((entry) => entry.events.some(isAskedFor));
    return [...before, ...asked];
  }, [before, all, isAskedFor]);
  const shown = useDeferredValue(entries, entries.slice(-FIRST_ROWS));
  return (
    <FollowingScroll name="Events" content={shown} firstId={shown[0]?.id} isPast={isPast}>
      {head}
      {shown.length === 0 ? (
        <p className={styles.empty}>{emptyWords}</p>
      ) : (
        <Days entries={shown} hasServer={hasServer} />
      )}
    </FollowingScroll>
  );
});

interface DaysProps {
  readonly entries: readonly LogEntry[];
  readonly hasServer: boolean;
}

const Days = memo(function Days({ entries, hasServer }: DaysProps) {
  return (
    <ol>
      {entries.map((entry, index) => {
        const at = startOf(entry);
        const before = entries[index - 1];
        const isNewDay = before === undefined || formatDay(startOf(before)) !== formatDay(at);
        return (
          <Fragment key={entry.id}>
            {isNewDay && <DayLine at={at} isFirst={before === undefined} />}
            <EventRow entry={entry} hasServer={hasServer} />
          </Fragment>
        );
      })}
    </ol>
  );
});

const startOf = ({ events }: LogEntry): number => events[0]!.at;

/** Heading of a day. */
export function DayLine({ at, isFirst }: { readonly at: number; readonly isFirst: boolean }) {
  const words = useNow((now) => formatDayName(at, now));
  // "Today" is left out at the head of the log, where it goes without saying.
  if (isFirst && words === 'Today') return null;
  return <li className={styles.day}>{words}</li>;
}
