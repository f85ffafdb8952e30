import { memo } from 'react';
import type { PanelEvent } from '../../shared/domain.ts';
import { eventLine } from '../format/event-words.ts';
import { formatMoment } from '../format/moments.ts';
import { useServices, useView } from '../services.ts';
import { StateGlyph } from '../ui/state-shape.tsx';
import { bandsOf, type EventGroup, isBand, worstWords } from './event-groups.ts';
import { openEvent } from './open-event.ts';
import { PLOT_LEFT_PX } from './plot-frame.ts';
import { MARK_LANE_PX } from './time-grid.tsx';
import type { WindowControl } from './use-span-window.ts';

/** Width of a character of a band's text, in px. */
const CHARACTER_PX = 6.5;
/** Size of a mark in px, so that two marks barely touch if their events are just far enough apart not to share one. */
const MARK_PX = 11;
/** Maximum number of events listed in a tooltip, because users do not read a longer list. */
const MAX_EVENTS_IN_TIP = 6;
/**
 * If there are more marks than this, their vertical lines do not extend through the charts, because they would hide the curves.
 */
const MAX_LINES = 40;

interface MarkLaneProps {
  readonly groups: readonly EventGroup[];
  /** Lower end in px of the vertical line of a highlighted mark. */
  readonly bottom: number;
  readonly zoom: WindowControl['zoom'] | undefined;
}

/** Event marks, each with a vertical line through all charts. */
export const MarkLane = memo(function MarkLane({ groups, bottom, zoom }: MarkLaneProps) {
  const bands = bandsOf(groups);
  const lineTo = bands.length > MAX_LINES ? MARK_LANE_PX : bottom;
  return bands.map((group) => <Mark key={group.events[0]?.id} {...{ group, bottom, lineTo, zoom }} />);
});

interface MarkProps extends Omit<MarkLaneProps, 'groups'> {
  readonly group: EventGroup;
  /** Lower end in px of the vertical line while the mark is not highlighted. */
  readonly lineTo: number;
}

function Mark({ group, bottom, lineTo, zoom }: MarkProps) {
  const { view } = useServices();
  const isPointed = useView((state) => group.events.some(({ id }) => state.pointedEvents.includes(id)));
  const [x, toX] = [PLOT_LEFT_PX + group.x, PLOT_LEFT_PX + group.toX];
  const isWide = isBand(group);
  return (
    <g
      style={{ color: `var(--state-${group.mark})` }}
      data-tip={isWide ? `${worstWords(group)}\n${tipOf(group.events)}` : tipOf(group.events)}
      data-moment={group.events[0]?.at}
      onPointerEnter={() => view.setState({ pointedEvents: group.events.map(({ id }) => id) })}
      onPointerLeave={() => view.setState({ pointedEvents: [] })}
      onClick={(click) => {
        // A click on a band zooms to the time of its events, and a click on a single mark opens the event. The click must not
        // reach the chart, which would pin the cursor.
        click.stopPropagation();
        if (isWide && zoom !== undefined) zoom(aroundOf(group));
        else openEvent(group.events[0]);
      }}
    >
      {(isWide ? [x, toX] : [x]).map((at) => (
        <line
          key={at}
          className={`stroke-current ${isPointed ? 'stroke-2' : `stroke-1 opacity-50 ${group.mark === 'cause' ? '[stroke-dasharray:2_3]' : ''}`}`}
          x1={at}
          x2={at}
          y1={MARK_LANE_PX - 8}
          y2={isPointed ? bottom : lineTo}
        />
      ))}
      <rect
        className={isPointed ? 'fill-current opacity-18' : 'fill-transparent'}
        x={x - 9}
        y={0}
        width={toX - x + 18}
        height={MARK_LANE_PX}
        rx={4}
      />
      {isWide ? (
        <Band group={group} x={x} toX={toX} />
      ) : (
        <g
          transform={`translate(${x - MARK_PX / 2} ${(MARK_LANE_PX - MARK_PX) / 2 - 2}) scale(${MARK_PX / 14})`}
        >
          <StateGlyph kind={group.mark} />
        </g>
      )}
    </g>
  );
}

interface BandProps {
  readonly group: EventGroup;
  readonly x: number;
  readonly toX: number;
}

/** Band over the time of many events, with the number and kind of the worst, only the number if space is short, or no text. */
function Band({ group, x, toX }: BandProps) {
  const words = worstWords(group);
  const [count = ''] = words.split(' ');
  const shown = [words, count].find((text) => text.length * CHARACTER_PX <= toX - x);
  return (
    <g>
      <rect className="fill-current opacity-18" x={x} y={3} width={toX - x} height={14} rx={4} />
      <text className="fill-text text-12" textAnchor="middle" x={(x + toX) / 2} y={14}>
        {shown}
      </text>
    </g>
  );
}

/** Returns the time span of a group's events, extended by a tenth on either side. */
function aroundOf({ events }: EventGroup) {
  const [from, to] = [events[0]?.at ?? 0, events.at(-1)?.at ?? 0];
  const edgeMs = (to - from) / 10;
  return { from: from - edgeMs, to: to + edgeMs };
}

function tipOf(events: readonly PanelEvent[]): string {
  const lines = events
    .slice(0, MAX_EVENTS_IN_TIP)
    .map((event) => `${formatMoment(event.at)}  ${eventLine(event)}`);
  const more = events.length - lines.length;
  return [...lines, ...(more > 0 ? [`and ${more} more`] : [])].join('\n');
}
