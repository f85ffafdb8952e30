import { memo, useMemo, type ReactNode } from 'react';
import type { PanelEvent } from '../../shared/domain.ts';
import { formatCount } from '../format/figures.ts';
import { groupIncidents } from '../format/incidents.ts';
import { countNewer, foldAlike, newestFirst, olderThan } from '../format/log-order.ts';
import { Icon } from '../ui/icon.tsx';
import { DrawnItems } from './drawn-items.tsx';
import { OpenRowsContext, useOpenRows } from './open-rows.ts';
import { useHeld } from './use-held.ts';
import styles from './event-log.module.css';

interface EventLogProps {
  /** Events of all servers shown, oldest first; incidents are found among all of them. */
  readonly events: readonly PanelEvent[];
  /**
   * Filter of the events; the rest of an incident is shown with each match. Must keep its identity. All events by
   * default.
   */
  readonly isAskedFor?: (event: PanelEvent) => boolean;
  /** Whether rows name their server; not needed on the page of a server. */
  readonly hasServer: boolean;
  /** Whether the log has a few rows in view, so that it does not say "Today". */
  readonly isShort?: boolean;
  /** Text shown if there are no events. */
  readonly emptyWords: string;
  /** Earlier events that each get their own row, oldest first. Must keep its identity. */
  readonly single?: readonly PanelEvent[];
  /** Whether the user reads the past, so that new events are not announced. */
  readonly isPast?: boolean;
  /** Content after the oldest event. */
  readonly foot?: ReactNode;
}

/**
 * Log of events, newest first. Events of one cause share a row that shows the latest, and so do events that are equal
 * for several servers. Nothing moves under the reader, because a button leads to newer events. It does not render
 * with the figures around it.
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
    <div className={styles.frame} {...handlers}>
      <div
        ref={list}
        role="log"
        aria-label="Events"
        aria-live={isPast ? 'off' : undefined}
        tabIndex={0}
        className={styles.log}
        onScroll={watchScroll}
      >
        <OpenRowsContext value={openRows}>
          {shown.length === 0 ? (
            <p className={styles.empty}>{emptyWords}</p>
          ) : (
            <DrawnItems items={shown} scroller={list} hasServer={hasServer} isShort={isShort} />
          )}
        </OpenRowsContext>
        {foot}
      </div>
      {newer > 0 && (
        <button type="button" className={styles.newer} onClick={catchUp}>
          {formatCount(newer)} newer <Icon name="up" size={14} />
        </button>
      )}
    </div>
  );
});
