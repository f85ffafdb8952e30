import { useId } from 'react';
import { describeFold } from '../format/incident-words.ts';
import type { LogEntry } from '../format/incidents.ts';
import { entryMark, latestOf, problemOf } from '../format/log-order.ts';
import { formatPlural } from '../format/figures.ts';
import { formatClockTime, formatMoment } from '../format/moments.ts';
import { StateShape } from '../ui/state-shape.tsx';
import { Disclosure, EventRow, ServerName } from './event-row.tsx';
import { foldedId, useOpenRow } from './open-rows.ts';
import styles from './event-log.module.css';

interface FoldedRowProps {
  readonly id: string;
  /** Equal entries of several servers, newest first. */
  readonly entries: readonly LogEntry[];
  readonly hasServer: boolean;
}

/** Row for equal entries of several servers: "7 servers started", with their names. It expands to a row for each. */
export function FoldedRow({ id, entries, hasServer }: FoldedRowProps) {
  const [isOpen, toggle] = useOpenRow(foldedId(id));
  const listId = useId();
  const [newest] = entries as readonly [LogEntry];
  const { at } = latestOf(newest);
  const problem = problemOf(newest);
  const names = [...new Set(entries.flatMap(({ events }) => events[0]?.server ?? []))].toSorted();
  const [only] = names;
  return (
    <div className={isOpen ? styles.open : undefined}>
      <div
        className={styles.event}
        {...(problem !== undefined && { style: { boxShadow: `inset 2px 0 var(--state-${problem})` } })}
        onClick={toggle}
      >
        <time className={styles.time} dateTime={new Date(at).toISOString()} data-tip={formatMoment(at)}>
          {formatClockTime(at)}
        </time>
        <StateShape kind={entryMark(newest)} size={12} />
        {hasServer &&
          (names.length === 1 && only !== undefined ? (
            <ServerName name={only} />
          ) : (
            <span className={styles.fold}>{formatPlural(names.length, 'server')}</span>
          ))}
        <Disclosure isOpen={isOpen} controls={listId}>
          <span className={styles.title}>{describeFold(entries, names.length)}</span>
          {names.length > 1 && (
            <span className={styles.details} data-tip={names.join(', ')} data-tip-if-cut>
              {names.join(', ')}
            </span>
          )}
        </Disclosure>
      </div>
      {isOpen && (
        <ol id={listId} className={styles.folded}>
          {entries.map((entry) => (
            <li key={entry.id}>
              <EventRow entry={entry} hasServer={hasServer} />
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}
