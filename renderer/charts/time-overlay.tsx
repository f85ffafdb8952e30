import { memo, type MouseEvent } from 'react';
import { formatInstant } from '../format/moments.ts';
import { useServices, useView } from '../services.ts';
import { isWithin } from './chart-cursor.ts';
import { NOT_IN_PICTURES } from './dom-picture.ts';
import type { EventGroup } from './event-groups.ts';
import { MarkLane } from './mark-lane.tsx';
import { instantAt, xOf } from './plot-frame.ts';
import { MARK_LANE_PX, TIME_AXIS_PX, type Frame } from './time-grid.tsx';
import { useDrag, xIn } from './use-drag.ts';
import type { WindowControl } from './use-span-window.ts';
import styles from './time-overlay.module.css';

/** A place over the charts, from their left and upper edge in pixels. */
export interface Place {
  readonly x: number;
  readonly y: number;
}

export interface TimeOverlayProps extends Frame {
  readonly groups?: readonly EventGroup[];
  /** Undefined for charts whose window stands still. */
  readonly control: WindowControl | undefined;
  /** The pointer moved, or left. */
  readonly onPoint?: (place: Place | undefined) => void;
  /** Takes a click; without it, a click pins the cursor. */
  readonly onClick?: (place: Place) => void;
  /** Whether a click leads anywhere. */
  readonly isOnServer?: boolean;
}

const NO_GROUPS: readonly EventGroup[] = [];

/** Distance within which a click means the pinned cursor itself. */
const PIN_WITHIN_PX = 6;
/** Width of a digit of the cursor's words. */
const DIGIT_PX = 6.2;

/**
 * Overlay of all charts of a stack, drawn once from top to bottom: event marks, the cursor, and what is being
 * zoomed to.
 */
export const TimeOverlay = memo(function TimeOverlay(props: TimeOverlayProps) {
  const { groups = NO_GROUPS, control, window, width, height, onPoint, onClick, isOnServer } = props;
  const { view } = useServices();
  const { drag, isOfDrag, handlers } = useDrag(control !== undefined, ({ fromX, toX }) => {
    control?.zoom({ from: clampedAt(fromX, props), to: clampedAt(toX, props) });
  });
  const pin = (x: number) => {
    const { pinnedAt } = view.getState();
    const isOnPin = pinnedAt !== undefined && Math.abs(xOf(pinnedAt, window, width) - x) < PIN_WITHIN_PX;
    view.setState({ pinnedAt: isOnPin ? undefined : instantAt(x, window, width) });
  };
  return (
    <svg
      className={
        isOnServer === true ? styles.overServer : control === undefined ? styles.overlay : styles.draggable
      }
      width={width}
      height={height}
      aria-hidden="true"
      {...handlers}
      onPointerMove={(event) => {
        control?.hold();
        view.setState({ cursorAt: instantAt(xIn(event), window, width) });
        handlers.onPointerMove(event);
        onPoint?.(placeOf(event));
      }}
      onPointerLeave={() => {
        control?.release();
        view.setState({ cursorAt: undefined });
        onPoint?.(undefined);
      }}
      // By its own place: a click may come before the movement to it is drawn, or without one.
      onClick={(event) => isOfDrag() || (onClick === undefined ? pin(xIn(event)) : onClick(placeOf(event)))}
      onDoubleClick={() => {
        view.setState({ pinnedAt: undefined });
        control?.followTime();
      }}
    >
      <g {...{ [NOT_IN_PICTURES]: '' }}>
        {drag !== undefined && (
          <Selection from={clampedAt(drag.fromX, props)} to={clampedAt(drag.toX, props)} frame={props} />
        )}
        <Cursors window={window} width={width} height={height} />
      </g>
      <MarkLane groups={groups} bottom={height - TIME_AXIS_PX} />
    </svg>
  );
});

const placeOf = (event: MouseEvent<SVGSVGElement>): Place => ({
  x: xIn(event),
  y: event.clientY - event.currentTarget.getBoundingClientRect().top,
});

/** Instant at a place, that of the nearer edge beside the plot. */
function clampedAt(x: number, { window, width }: Frame): number {
  const isLeft = x < xOf(window.from, window, width);
  return instantAt(x, window, width) ?? (isLeft ? window.from : window.to);
}

function Selection({
  from,
  to,
  frame,
}: {
  readonly from: number;
  readonly to: number;
  readonly frame: Frame;
}) {
  const [left, right] = [from, to].map((at) => xOf(at, frame.window, frame.width)).toSorted((a, b) => a - b);
  return (
    <rect
      className={styles.selection}
      x={left}
      width={(right ?? 0) - (left ?? 0)}
      y={MARK_LANE_PX}
      height={frame.height - MARK_LANE_PX - TIME_AXIS_PX}
    />
  );
}

/** The pinned cursor, and that of the pointer over it. */
function Cursors(frame: Frame) {
  const cursorAt = useView((state) => state.cursorAt);
  const pinnedAt = useView((state) => state.pinnedAt);
  return (
    <>
      {pinnedAt !== undefined && <Cursor at={pinnedAt} look={styles.pin} frame={frame} />}
      {cursorAt !== undefined && <Cursor at={cursorAt} look={styles.cursor} frame={frame} />}
    </>
  );
}

interface CursorProps {
  readonly at: number;
  readonly look: string | undefined;
  readonly frame: Frame;
}

function Cursor({ at, look, frame: { window, width, height } }: CursorProps) {
  if (!isWithin(at, window)) return null;
  const x = xOf(at, window, width);
  const words = formatInstant(at, window.to - window.from);
  const labelPx = words.length * DIGIT_PX + 12;
  // The words keep within the chart where the line is at its edge.
  const middle = Math.min(Math.max(x, labelPx / 2), width - labelPx / 2);
  return (
    <g className={look} data-cursor={Math.round(at)}>
      <line x1={x} x2={x} y1={MARK_LANE_PX} y2={height - TIME_AXIS_PX} />
      <rect x={middle - labelPx / 2} y={height - TIME_AXIS_PX + 3} width={labelPx} height={17} rx={4} />
      <text x={middle} y={height - 6}>
        {words}
      </text>
    </g>
  );
}
