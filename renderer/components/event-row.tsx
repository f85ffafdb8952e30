import { memo } from 'react';
import type { PanelEvent } from '../../shared/domain.ts';
import { markOf } from '../format/event-marks.ts';
import { describeEvent } from '../format/event-words.ts';
import { formatClockTime, formatMoment } from '../format/moments.ts';
import { serverHref } from '../store/route-store.ts';
import { useServices, useView } from '../store/services.ts';
import { StateShape } from './state-shape.tsx';
import styles from './event-log.module.css';

interface EventRowProps {
  readonly event: PanelEvent;
  readonly hasServer: boolean;
}

/** One event in words: when, whose, what, and why. */
export const EventRow = memo(function EventRow({ event, hasServer }: EventRowProps) {
  const { view } = useServices();
  const isPointed = useView((state) => state.pointedEvents.includes(event.id));
  const { title, details } = describeEvent(event);
  const text = details.join(' · ');
  return (
    <li
      className={isPointed ? styles.pointed : styles.event}
      data-event={event.id}
      onPointerEnter={() => view.setState({ pointedEvents: [event.id] })}
      onPointerLeave={() => view.setState({ pointedEvents: [] })}
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
      <span className={styles.words}>
        <span className={styles.title}>{title}</span>
        {text !== '' && (
          <span className={styles.details} data-tip={text} data-tip-if-cut>
            {text}
          </span>
        )}
      </span>
    </li>
  );
});

function ServerName({ name }: { readonly name: string | null }) {
  if (name === null) return <span className={styles.panel}>panel</span>;
  return (
    <a className={styles.server} href={serverHref(name)}>
      {name}
    </a>
  );
}
