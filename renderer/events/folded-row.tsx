import { useId, useState } from 'react';
import { formatPlural } from '../format/figures.ts';
import type { LogEntry } from '../format/incidents.ts';
import { markOf } from '../format/event-marks.ts';
import { latestOf, type QuietKind } from '../format/log-order.ts';
import { formatClockTime, formatMoment } from '../format/moments.ts';
import { StateShape } from '../ui/state-shape.tsx';
import { Disclosure, EventRow } from './event-row.tsx';
import styles from './event-log.module.css';

interface FoldedRowProps {
  readonly event: QuietKind;
  /** Entries, newest first. */
  readonly entries: readonly LogEntry[];
}

/** Row of several quiet events: "7 servers started", and which. It opens to a row for each. */
export function FoldedRow({ event, entries }: FoldedRowProps) {
  const [isOpen, setOpen] = useState(false);
  const listId = useId();
  const { at } = latestOf(entries[0]!);
  const names = [...new Set(entries.flatMap(({ events }) => events[0]?.server ?? []))].toSorted();
  return (
    <li className={isOpen ? styles.open : undefined}>
      <div className={styles.event} onClick={() => setOpen(!isOpen)}>
        <time className={styles.time} dateTime={new Date(at).toISOString()} data-tip={formatMoment(at)}>
          {formatClockTime(at)}
        </time>
        <StateShape kind={markOf(event)} size={12} />
        <span className={styles.fold}>{formatPlural(names.length, 'server')}</span>
        <Disclosure isOpen={isOpen} controls={listId}>
          <span className={styles.title}>{event}</span>
          <span className={styles.details} data-tip={names.join(', ')} data-tip-if-cut>
            {names.join(', ')}
          </span>
        </Disclosure>
      </div>
      {isOpen && (
        <ol id={listId} className={styles.folded}>
          {entries.map((entry) => (
            <EventRow key={entry.id} entry={entry} hasServer />
          ))}
        </ol>
      )}
    </li>
  );
}
