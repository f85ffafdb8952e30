import {
  memo,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type MouseEvent,
  type ReactNode,
} from 'react';
import type { PanelEvent } from '../../shared/domain.ts';
import { markOf } from '../format/event-marks.ts';
import { tellEvent } from '../format/event-story.ts';
import { describeEvent } from '../format/event-words.ts';
import { formatClockTime, formatMoment } from '../format/moments.ts';
import { serverHref } from '../store/route-store.ts';
import { useServices, useView } from '../store/services.ts';
import { EventDetails } from './event-details.tsx';
import { Icon } from './icon.tsx';
import { StateShape } from './state-shape.tsx';
import styles from './event-log.module.css';

interface EventRowProps {
  readonly event: PanelEvent;
  readonly hasServer: boolean;
}

/** One event in words: when, whose, what, and why; opens where there is more to tell. */
export const EventRow = memo(function EventRow({ event, hasServer }: EventRowProps) {
  const { view } = useServices();
  const isPointed = useView((state) => state.pointedEvents.includes(event.id));
  const story = useMemo(() => tellEvent(event), [event]);
  const [isOpen, setOpen] = useState(false);
  const row = useRef<HTMLLIElement>(null);
  const detailsId = useId();
  useLayoutEffect(() => {
    if (isOpen) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isOpen]);
  const toggle = () => setOpen(!isOpen);
  const words = <EventWordsOf event={event} />;
  return (
    <li
      ref={row}
      className={isOpen ? styles.open : undefined}
      data-event={event.id}
      onPointerEnter={() => view.setState({ pointedEvents: [event.id] })}
      onPointerLeave={() => view.setState({ pointedEvents: [] })}
    >
      <div
        className={isPointed ? styles.pointed : styles.event}
        onClick={story && ((click) => isOnLink(click) || toggle())}
      >
        <time
          className={styles.time}
          dateTime={new Date(event.at).toISOString()}
          data-tip={formatMoment(event.at)}
        >
          {formatClockTime(event.at)}
        </time>
        <StateShape kind={markOf(event.kind)} size={12} />
        {hasServer && <ServerName name={event.server} />}
        {story === undefined ? (
          <span className={styles.words}>{words}</span>
        ) : (
          <Disclosure isOpen={isOpen} controls={detailsId}>
            {words}
          </Disclosure>
        )}
      </div>
      {isOpen && story !== undefined && <EventDetails id={detailsId} event={event} story={story} />}
    </li>
  );
});

interface DisclosureProps {
  readonly isOpen: boolean;
  readonly controls: string;
  readonly children: ReactNode;
}

/** The click is the row's; the button is for keyboard and screen reader, and its own click ends up there, too. */
function Disclosure({ isOpen, controls, children }: DisclosureProps) {
  return (
    <button
      type="button"
      className={styles.words}
      aria-expanded={isOpen}
      aria-controls={isOpen ? controls : undefined}
    >
      <span className={styles.chevron}>
        <Icon name="more" size={12} />
      </span>
      {children}
    </button>
  );
}

function EventWordsOf({ event }: { readonly event: PanelEvent }) {
  const { title, details } = describeEvent(event);
  const text = details.join(' · ');
  return (
    <>
      <span className={styles.title}>{title}</span>
      {text !== '' && (
        <span className={styles.details} data-tip={text} data-tip-if-cut>
          {text}
        </span>
      )}
    </>
  );
}

/** Links lead elsewhere, and words that are being selected are being read. */
const isOnLink = ({ target }: MouseEvent): boolean =>
  (target instanceof Element && target.closest('a') !== null) || window.getSelection()?.isCollapsed === false;

function ServerName({ name }: { readonly name: string | null }) {
  if (name === null) return <span className={styles.panel}>panel</span>;
  return (
    <a className={styles.server} href={serverHref(name)}>
      {name}
    </a>
  );
}
