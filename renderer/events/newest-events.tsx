import { Fragment, useMemo } from 'react';
import type { PanelEvent } from '../../shared/domain.ts';
import { formatCount } from '../format/figures.ts';
import { groupIncidents } from '../format/incidents.ts';
import {
  countNewer,
  entriesOf,
  foldQuiet,
  latestOf,
  newestFirst,
  type LogItem,
} from '../format/log-order.ts';
import { formatDay } from '../format/moments.ts';
import { Icon } from '../ui/icon.tsx';
import { DayLine } from './event-log.tsx';
import { EventRow } from './event-row.tsx';
import { FoldedRow } from './folded-row.tsx';
import { useHeld } from './use-held.ts';
import styles from './event-log.module.css';

interface NewestEventsProps {
  /** Events of all servers, oldest first. */
  readonly events: readonly PanelEvent[];
  /** Words where there are no events. */
  readonly emptyWords: string;
}

/**
 * Log that begins with the newest: incidents by what happened last, quiet events of several servers in one
 * row. Nothing moves under the reader: a button tells of what is newer.
 */
export function NewestEvents({ events, emptyWords }: NewestEventsProps) {
  const items = useMemo(() => foldQuiet(newestFirst(groupIncidents(events))), [events]);
  const { shown, list, handlers, watchScroll, catchUp } = useHeld(items);
  const newer = useMemo(() => (shown === items ? 0 : countNewer(items, shown)), [items, shown]);
  return (
    <div className={styles.frame} {...handlers}>
      <div
        ref={list}
        role="log"
        aria-label="Events"
        tabIndex={0}
        className={styles.log}
        onScroll={watchScroll}
      >
        {shown.length === 0 ? <p className={styles.empty}>{emptyWords}</p> : <Items items={shown} />}
      </div>
      {newer > 0 && (
        <button type="button" className={styles.newer} onClick={catchUp}>
          {formatCount(newer)} newer <Icon name="up" size={14} />
        </button>
      )}
    </div>
  );
}

function Items({ items }: { readonly items: readonly LogItem[] }) {
  return (
    <ol>
      {items.map((item, index) => {
        const at = atOf(item);
        const above = items[index - 1];
        const isNewDay = above === undefined || formatDay(atOf(above)) !== formatDay(at);
        return (
          <Fragment key={item.id}>
            {isNewDay && <DayLine at={at} isFirst={above === undefined} />}
            {item.kind === 'fold' ? (
              <FoldedRow event={item.event} entries={item.entries} />
            ) : (
              <EventRow entry={item.entry} hasServer isByLatest />
            )}
          </Fragment>
        );
      })}
    </ol>
  );
}

const atOf = (item: LogItem): number => latestOf(entriesOf(item)[0]!).at;
