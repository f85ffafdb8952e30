import { memo } from 'react';
import type { PanelEvent } from '../../shared/domain.ts';
import { eventLine } from '../format/event-words.ts';
import { formatMoment } from '../format/moments.ts';
import { useServices, useView } from '../services.ts';
import { StateGlyph } from '../ui/state-shape.tsx';
import type { EventGroup } from './event-groups.ts';
import { openEvent } from './open-event.ts';
import { PLOT_LEFT_PX } from './plot-frame.ts';
import { MARK_LANE_PX } from './time-grid.tsx';
import styles from './time-overlay.module.css';

/** Mark size, small enough that two marks just beyond the grouping distance hardly touch. */
const MARK_PX = 11;
/** Events listed in a tip at most, because nobody reads a longer one. */
const MAX_EVENTS_IN_TIP = 6;
/** Marks from which their lines would hide the curves. */
const MAX_LINES = 40;

interface MarkLaneProps {
  readonly groups: readonly EventGroup[];
  /** Lower end of the lines. */
  readonly bottom: number;
}

/** Marks of events, each with a line through all charts. */
export const MarkLane = memo(function MarkLane({ groups, bottom }: MarkLaneProps) {
  const lineTo = groups.length > MAX_LINES ? MARK_LANE_PX : bottom;
  return groups.map((group) => (
    <Mark key={group.events[0]?.id} group={group} bottom={bottom} lineTo={lineTo} />
  ));
});

interface MarkProps {
  readonly group: EventGroup;
  readonly bottom: number;
  /** Lower end of the line while nobody points at it. */
  readonly lineTo: number;
}

function Mark({ group, bottom, lineTo }: MarkProps) {
  const { view } = useServices();
  const isPointed = useView((state) => group.events.some(({ id }) => state.pointedEvents.includes(id)));
  const x = PLOT_LEFT_PX + group.x;
  return (
    <g
      className={isPointed ? styles.pointed : group.mark === 'cause' ? styles.cause : styles.mark}
      style={{ color: `var(--state-${group.mark})` }}
      data-tip={tipOf(group.events)}
      onPointerEnter={() => view.setState({ pointedEvents: group.events.map(({ id }) => id) })}
      onPointerLeave={() => view.setState({ pointedEvents: [] })}
      onClick={(click) => {
        // A click on a mark asks for its event, not for a cursor.
        click.stopPropagation();
        openEvent(group.events[0]);
      }}
    >
      <line x1={x} x2={x} y1={MARK_LANE_PX - 8} y2={isPointed ? bottom : lineTo} />
      <rect className={styles.target} x={x - 9} y={0} width={18} height={MARK_LANE_PX} />
      <g
        transform={`translate(${x - MARK_PX / 2} ${(MARK_LANE_PX - MARK_PX) / 2 - 2}) scale(${MARK_PX / 14})`}
      >
        <StateGlyph kind={group.mark} />
      </g>
    </g>
  );
}

function tipOf(events: readonly PanelEvent[]): string {
  const lines = events
    .slice(0, MAX_EVENTS_IN_TIP)
    .map((event) => `${formatMoment(event.at)}  ${eventLine(event)}`);
  const more = events.length - lines.length;
  return [...lines, ...(more > 0 ? [`and ${more} more`] : [])].join('\n');
}
