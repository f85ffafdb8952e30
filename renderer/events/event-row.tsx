import { memo, useId, useLayoutEffect, useMemo, useRef, type MouseEvent, type ReactNode } from 'react';
import { describeEntry, headlineOf, tellEntry } from '../format/incident-words.ts';
import { isSameEntry, latestOf, type LogEntry } from '../format/incidents.ts';
import { entryMark, problemOf, spanOf } from '../format/log-order.ts';
import { formatMoment } from '../format/moments.ts';
import { serverHref } from '../store/route-store.ts';
import { useServices, useView } from '../services.ts';
import { ClockTime } from './event-time.tsx';
import { EventDetailTable } from './event-details.tsx';
import { useOpenRow } from './open-rows.ts';
import { Icon } from '../ui/icon.tsx';
import { MiddleCut } from '../ui/middle-cut.tsx';
import { StateShape } from '../ui/state-shape.tsx';

interface EventRowProps {
  readonly entry: LogEntry;
  readonly hasServer: boolean;
}

/** True if two rows look the same. Grouping creates new entry objects at each event, although most entries do not change. */
const isSameRow = (before: EventRowProps, after: EventRowProps): boolean =>
  before.hasServer === after.hasServer && isSameEntry(before.entry, after.entry);

/** Row of one event or incident: time of its latest event, server, description and reason. Expands if there are details. */
export const EventRow = memo(function EventRow({ entry, hasServer }: EventRowProps) {
  const { view } = useServices();
  const ids = entry.events.map(({ id }) => id);
  const isPointed = useView((state) => ids.some((id) => state.pointedEvents.includes(id)));
  const story = useMemo(() => tellEntry(entry), [entry]);
  const headline = headlineOf(entry);
  const [isOpen, toggle] = useOpenRow(entry.id);
  const row = useRef<HTMLDivElement>(null);
  const detailsId = useId();
  const wasOpen = useRef(isOpen);
  useLayoutEffect(() => {
    // The row is also scrolled into view when it is closed: the log gets shorter then, so its scroll position may have changed.
    if (isOpen !== wasOpen.current) row.current?.scrollIntoView({ block: 'nearest' });
    wasOpen.current = isOpen;
  }, [isOpen]);
  const { title, details } = describeEntry(entry);
  const words = <RowWords title={title} details={details.join(' · ')} />;
  return (
    <div
      ref={row}
      className={isOpen ? 'bg-hover' : undefined}
      data-event={ids.join(' ')}
      data-moment={latestOf(entry).at}
      data-moment-server={headline.server ?? undefined}
      onPointerEnter={() => view.setState({ pointedEvents: ids })}
      onPointerLeave={() => view.setState({ pointedEvents: [] })}
    >
      <RowLine
        entry={entry}
        isPointed={isPointed}
        onClick={story && ((click) => isOnLink(click) || toggle())}
      >
        {hasServer && <ServerName name={headline.server} />}
        {story === undefined ? (
          <span className={WORDS}>{words}</span>
        ) : (
          <Disclosure isOpen={isOpen} controls={detailsId}>
            {words}
          </Disclosure>
        )}
        <Span entry={entry} />
      </RowLine>
      {isOpen && story !== undefined && <EventDetailTable id={detailsId} entry={entry} story={story} />}
    </div>
  );
}, isSameRow);

interface RowLineProps {
  readonly entry: LogEntry;
  readonly isPointed?: boolean;
  readonly onClick: ((click: MouseEvent) => void) | undefined;
  readonly children: ReactNode;
}

/** Line of a log row, with the time and the mark of its entry. */
export function RowLine({ entry, isPointed = false, onClick, children }: RowLineProps) {
  const problem = problemOf(entry);
  return (
    <div
      // The padding on the right is small, because the space reserved for the scrollbar provides most of the margin.
      className={`relative flex items-center gap-8 h-24 pr-6 pl-16 hover:bg-hover ${isPointed ? 'bg-hover' : ''}`}
      {...(problem !== undefined && { style: { boxShadow: `inset 2px 0 var(--state-${problem})` } })}
      onClick={onClick}
    >
      <ClockTime at={latestOf(entry).at} />
      <StateShape kind={entryMark(entry)} size={12} />
      {children}
    </div>
  );
}

/**
 * Text that does not fit beside the title wraps to a second line, which is hidden. Normal numerals are used, because with
 * tabular ones a hyphen in a name would be as wide as a digit.
 */
const WORDS =
  'flex flex-1 flex-wrap items-center min-w-0 h-20 overflow-hidden text-left normal-nums whitespace-nowrap ' +
  'focus-visible:-outline-offset-1';

interface DisclosureProps {
  readonly isOpen: boolean;
  readonly controls: string;
  readonly children: ReactNode;
}

/** Button for keyboard and screen reader. The row handles clicks: a click on the button bubbles up to it. */
export function Disclosure({ isOpen, controls, children }: DisclosureProps) {
  return (
    <button
      type="button"
      className={WORDS}
      aria-expanded={isOpen}
      aria-controls={isOpen ? controls : undefined}
    >
      {/* The chevron is in the margin so that rows with and without details stay aligned. */}
      <span className={`absolute left-3 flex text-faint ${isOpen ? 'rotate-90' : ''}`}>
        <Icon name="more" size={12} />
      </span>
      {children}
    </button>
  );
}

/** Duration of an incident, from its first event to its latest. */
function Span({ entry }: { readonly entry: LogEntry }) {
  const span = spanOf(entry);
  if (span === undefined) return null;
  const [from, to] = [entry.events[0].at, latestOf(entry).at];
  return (
    <span
      // The column has a fixed width so that the durations of all rows are aligned.
      className="flex-none w-72 whitespace-nowrap text-12 text-dim text-right"
      data-tip={`from ${formatMoment(from)}\nto ${formatMoment(to)}`}
    >
      {span}
    </span>
  );
}

/** Title and details of a row. If space is short, the details go before the title is cut: a few of their letters are useless. */
export const RowWords = ({ title, details }: { readonly title: string; readonly details: string }) => (
  <>
    <span className="flex-none max-w-full truncate">{title}</span>
    {details !== '' && (
      <span
        className="flex-[1_1_72px] min-w-0 truncate after-dot text-dim"
        data-tip={details}
        data-tip-if-cut
      >
        {details}
      </span>
    )}
  </>
);

/** True if a click is on a link or ends a text selection. Neither of them opens the row. */
const isOnLink = ({ target }: MouseEvent): boolean =>
  (target instanceof Element && target.closest('a') !== null) || window.getSelection()?.isCollapsed === false;

export function ServerName({ name }: { readonly name: string | null }) {
  if (name === null) return <span className="flex-none w-132 truncate text-faint">panel</span>;
  return (
    <a
      // A pointer target must be at least 24 px high.
      className="flex-none w-132 py-2 truncate hover:link"
      href={serverHref(name)}
      data-tip={name}
      data-tip-if-cut
    >
      <MiddleCut name={name} />
    </a>
  );
}
