import { memo, useMemo, type PointerEvent } from 'react';
import type { PanelEvent } from '../../shared/domain.ts';
import { StateGlyph } from '../ui/state-shape.tsx';
import { describeEvent } from '../format/event-words.ts';
import { formatClockTime } from '../format/moments.ts';
import { useServices, useView } from '../services.ts';
import type { TimeWindow } from './downsample.ts';
import { groupEvents, type EventGroup } from './event-groups.ts';
import { instantAt, PLOT_LEFT_PX, plotWidthOf, xOf } from './plot-frame.ts';
import { timeTicks } from './time-axis.ts';
import styles from './time-overlay.module.css';

/** Height of the lane that holds the shapes of events. */
export const MARK_LANE_PX = 26;
export const TIME_AXIS_PX = 22;
/** Mark size, small enough that two marks just beyond the grouping distance hardly touch. */
const MARK_PX = 11;
/** Events listed in a tip at most, because nobody reads a longer one. */
const MAX_EVENTS_IN_TIP = 6;

interface TimeOverlayProps {
  readonly events: readonly PanelEvent[];
  readonly window: TimeWindow;
  readonly width: number;
  readonly height: number;
}

/** Overlay of all charts of a stack: event marks and the cursor, drawn once from top to bottom. */
export function TimeOverlay({ events, window, width, height }: TimeOverlayProps) {
  const { view } = useServices();
  const follow = (event: PointerEvent<SVGSVGElement>) => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left;
    view.setState({ cursorAt: instantAt(x, window, width) });
  };
  return (
    <svg
      className={styles.overlay}
      width={width}
      height={height}
      aria-hidden="true"
      onPointerMove={follow}
      onPointerLeave={() => view.setState({ cursorAt: undefined })}
    >
      <Cursor window={window} width={width} height={height} />
      <Marks events={events} window={window} width={width} height={height} />
    </svg>
  );
}

type Frame = Omit<TimeOverlayProps, 'events'>;

/** Time axis, drawn behind the curves, with the times when nothing was measured. */
export const TimeGrid = memo(function TimeGrid({
  window,
  width,
  height,
  absences,
}: Frame & { readonly absences: readonly TimeWindow[] }) {
  const bottom = height - TIME_AXIS_PX;
  const shown = absences.filter(({ from, to }) => to > window.from && from < window.to);
  return (
    <svg className={styles.grid} width={width} height={height} aria-hidden="true">
      {shown.map(({ from, to }) => {
        const left = xOf(Math.max(from, window.from), window, width);
        const right = xOf(Math.min(to, window.to), window, width);
        return (
          <rect key={from} x={left} width={right - left} y={MARK_LANE_PX} height={bottom - MARK_LANE_PX} />
        );
      })}
      {timeTicks(window).map(({ at, label }) => {
        const x = xOf(at, window, width);
        return (
          <g key={at}>
            <line x1={x} x2={x} y1={MARK_LANE_PX} y2={bottom} />
            <text x={x} y={height - 6}>
              {label}
            </text>
          </g>
        );
      })}
    </svg>
  );
});

function Cursor({ window, width, height }: Frame) {
  const at = useView((state) => state.cursorAt);
  if (at === undefined || at < window.from || at > window.to) return null;
  const x = xOf(at, window, width);
  return (
    <g className={styles.cursor}>
      <line x1={x} x2={x} y1={MARK_LANE_PX} y2={height - TIME_AXIS_PX} />
      <rect x={x - 30} y={height - TIME_AXIS_PX + 3} width={60} height={17} rx={4} />
      <text x={x} y={height - 6}>
        {formatClockTime(at)}
      </text>
    </g>
  );
}

function Marks({ events, window, width, height }: TimeOverlayProps) {
  const groups = useMemo(() => groupEvents(events, window, plotWidthOf(width)), [events, window, width]);
  return groups.map((group) => (
    <Mark key={group.events[0]?.id} group={group} bottom={height - TIME_AXIS_PX} />
  ));
}

function Mark({ group, bottom }: { readonly group: EventGroup; readonly bottom: number }) {
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
      onClick={() => showInLog(group.events[0]?.id)}
    >
      <line x1={x} x2={x} y1={MARK_LANE_PX - 8} y2={bottom} />
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
  const lines = events.slice(0, MAX_EVENTS_IN_TIP).map((event) => {
    const { title, details } = describeEvent(event);
    return `${formatClockTime(event.at)}  ${[title, ...details].join(' · ')}`;
  });
  const more = events.length - lines.length;
  return [...lines, ...(more > 0 ? [`and ${more} more`] : [])].join('\n');
}

function showInLog(id: string | undefined): void {
  if (id === undefined) return;
  document.querySelector(`[data-event~="${CSS.escape(id)}"]`)?.scrollIntoView({ block: 'nearest' });
}
