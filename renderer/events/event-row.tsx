import { memo, useId, useLayoutEffect, useMemo, useRef, type MouseEvent, type ReactNode } from 'react';
import { describeEntry, headlineOf, tellEntry } from '../format/incident-words.ts';
import { isSameEntry, type LogEntry } from '../format/incidents.ts';
import { entryMark, latestOf, problemOf, spanOf } from '../format/log-order.ts';
import { formatMoment } from '../format/moments.ts';
import { serverHref } from '../store/route-store.ts';
import { useServices, useView } from '../services.ts';
import { EventDetailTable } from './event-details.tsx';
import { useOpenRow } from './open-rows.ts';
import { Icon } from '../ui/icon.tsx';
import { MiddleCut } from '../ui/middle-cut.tsx';
import { StateShape } from '../ui/state-shape.tsx';
import { ClockTime } from './clock-time.tsx';
import styles from './event-log.module.css';

interface EventRowProps {
  readonly entry: LogEntry;
  readonly hasServer: boolean;
}

/** Whether two rows look the same. Grouping creates new entry objects at each event, though most entries do not change. */
const isSameRow = (before: EventRowProps, after: EventRowProps): boolean =>
  before.hasServer === after.hasServer && isSameEntry(before.entry, after.entry);

/**
 * Row of one event or one incident: time of its latest event, server, description and reason. It expands if there are
 * details.
 */
export const EventRow = memo(function EventRow({ entry, hasServer }: EventRowProps) {
  const { view } = useServices();
  const ids = entry.events.map(({ id }) => id);
  const isPointed = useView((state) => ids.some((id) => state.pointedEvents.includes(id)));
  const story = useMemo(() => tellEntry(entry), [entry]);
  const headline = headlineOf(entry);
  const { at } = latestOf(entry);
  const problem = problemOf(entry);
  const [isOpen, toggle] = useOpenRow(entry.id);
  const row = useRef<HTMLDivElement>(null);
  const detailsId = useId();
  const wasOpen = useRef(isOpen);
  useLayoutEffect(() => {
    // A row is scrolled into view on closing, too, because a log that grows with open rows may have lost its position.
    if (isOpen !== wasOpen.current) row.current?.scrollIntoView({ block: 'nearest' });
    wasOpen.current = isOpen;
  }, [isOpen]);
  const words = <EntryWords entry={entry} />;
  return (
    <div
      ref={row}
      className={isOpen ? styles.open : undefined}
      data-event={ids.join(' ')}
      data-moment={at}
      data-moment-server={headline.server ?? undefined}
      onPointerEnter={() => view.setState({ pointedEvents: ids })}
      onPointerLeave={() => view.setState({ pointedEvents: [] })}
    >
      <div
        className={isPointed ? styles.pointed : styles.event}
        {...(problem !== undefined && { style: { boxShadow: `inset 2px 0 var(--state-${problem})` } })}
        onClick={story && ((click) => isOnLink(click) || toggle())}
      >
        <ClockTime at={at} />
        <StateShape kind={entryMark(entry)} size={12} />
        {hasServer && <ServerName name={headline.server} />}
        {story === undefined ? (
          <span className={styles.words}>{words}</span>
        ) : (
          <Disclosure isOpen={isOpen} controls={detailsId}>
            {words}
          </Disclosure>
        )}
        <Span entry={entry} />
      </div>
      {isOpen && story !== undefined && <EventDetailTable id={detailsId} entry={entry} story={story} />}
    </div>
  );
}, isSameRow);

interface DisclosureProps {
  readonly isOpen: boolean;
  readonly controls: string;
  readonly children: ReactNode;
}

/** Button for keyboard and screen reader. Clicks are handled by the row, to which the button's own click bubbles up. */
export function Disclosure({ isOpen, controls, children }: DisclosureProps) {
  return (
    <button
      type="button"
      className={styles.words}
      aria-expanded={isOpen}
      aria-controls={isOpen ? controls : undefined}
    >
      <span className={`${styles.chevron} flex text-faint`}>
        <Icon name="more" size={12} />
      </span>
      {children}
    </button>
  );
}

/** Duration of an incident, up to now if the incident is not over. */
function Span({ entry }: { readonly entry: LogEntry }) {
  const span = spanOf(entry);
  if (span === undefined) return null;
  const [from, to] = [entry.events[0]!.at, latestOf(entry).at];
  return (
    <span
      className={`${styles.span} flex-none whitespace-nowrap text-12 text-dim text-right`}
      data-tip={`from ${formatMoment(from)}\nto ${formatMoment(to)}`}
    >
      {span}
    </span>
  );
}

function EntryWords({ entry }: { readonly entry: LogEntry }) {
  const { title, details } = describeEntry(entry);
  const text = details.join(' · ');
  return (
    <>
      <span className={styles.title}>{title}</span>
      {text !== '' && (
        <span className={`${styles.details} min-w-0 text-dim after-dot`} data-tip={text} data-tip-if-cut>
          {text}
        </span>
      )}
    </>
  );
}

/** Whether a click is on a link, or ends a text selection; neither opens the row. */
const isOnLink = ({ target }: MouseEvent): boolean =>
  (target instanceof Element && target.closest('a') !== null) || window.getSelection()?.isCollapsed === false;

export function ServerName({ name }: { readonly name: string | null }) {
  if (name === null) return <span className={`${styles.panel} flex-none truncate text-faint`}>panel</span>;
  return (
    <a
      className={`${styles.server} flex-none truncate hover:link`}
      href={serverHref(name)}
      data-tip={name}
      data-tip-if-cut
    >
      <MiddleCut name={name} />
    </a>
  );
}
