import { memo, useEffect, useId, useRef, useState } from 'react';
import type { ServerView } from '../../shared/domain.ts';
import type { RunEnd } from '../../shared/restart-story.ts';
import { DayWords, ClockTime } from '../events/event-time.tsx';
import { describeEnd, endMark, uptimeWords } from '../format/run-end-words.ts';
import { formatDay } from '../format/moments.ts';
import { Icon } from '../ui/icon.tsx';
import { StateShape } from '../ui/state-shape.tsx';
import { EndDetails } from './end-details.tsx';

interface EndRowProps {
  readonly server: ServerView;
  readonly end: RunEnd;
  /** Whether a link led to this end; if so, the row is opened and scrolled into view. */
  readonly isAsked: boolean;
  /** Time of the end in the row above. If it is on another day, this row starts with a day heading. */
  readonly before: number | undefined;
}

/** Row for the end of one run: time, kind, reason, and uptime. It expands to all details. */
export const EndRow = memo(function EndRow({ server, end, isAsked, before }: EndRowProps) {
  const [isOpen, setOpen] = useState(isAsked);
  const row = useRef<HTMLLIElement>(null);
  const detailsId = useId();
  const [wasAsked, setAsked] = useState(isAsked);
  if (isAsked !== wasAsked) {
    setAsked(isAsked);
    if (isAsked) setOpen(true);
  }
  useEffect(() => {
    if (isAsked) row.current?.scrollIntoView({ block: 'start' });
  }, [isAsked]);
  const isNewDay = before === undefined || formatDay(before) !== formatDay(end.at);
  return (
    <>
      {isNewDay && (
        <li>
          <DayWords at={end.at} isShort={false} />
        </li>
      )}
      <li
        ref={row}
        className={isOpen ? 'bg-hover' : undefined}
        data-end={end.id}
        data-event={isOpen ? end.id : idsOf(end)}
      >
        <button
          type="button"
          className="flex items-center gap-8 w-full relative min-h-28 pr-16 pl-24 text-left figures -outline-offset-2 hover:bg-hover"
          aria-expanded={isOpen}
          aria-controls={isOpen ? detailsId : undefined}
          onClick={() => setOpen(!isOpen)}
        >
          <EndLine end={end} isOpen={isOpen} />
        </button>
        {isOpen && <EndDetails id={detailsId} server={server} end={end} />}
      </li>
    </>
  );
});

function EndLine({ end, isOpen }: { readonly end: RunEnd; readonly isOpen: boolean }) {
  const { title, details } = describeEnd(end);
  const text = details.join(' · ');
  return (
    <>
      <span className={`absolute left-8 flex text-faint ${isOpen ? 'rotate-90' : ''}`}>
        <Icon name="more" size={12} />
      </span>
      <ClockTime at={end.at} />
      <StateShape kind={endMark(end)} size={12} />
      {end.instance !== undefined && (
        <span className="flex-none truncate max-w-132 px-8 border border-line rounded-sm text-12/16 text-dim">
          {end.instance}
        </span>
      )}
      <span className="flex min-w-0 flex-1 normal-nums">
        <span className="flex-none truncate max-w-full font-medium">{title}</span>
        {text !== '' && (
          <span className="after-dot truncate min-w-0 flex-1 text-dim" data-tip={text} data-tip-if-cut>
            {text}
          </span>
        )}
      </span>
      <span className="flex-none whitespace-nowrap text-12 text-dim text-right">{uptimeWords(end)}</span>
    </>
  );
}

/** Ids of the events whose chart marks lead to this row while it is closed. In an open row, chain events have their own rows. */
const idsOf = ({ id, chain }: RunEnd): string => [id, ...chain.map(({ eventId }) => eventId)].join(' ');
