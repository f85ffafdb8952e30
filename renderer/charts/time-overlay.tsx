import { memo, type MouseEvent, type PointerEvent, useRef, useState } from 'react';
import { UNDER_POINTER } from '../commands/row-menu.ts';
import { formatInstant } from '../format/moments.ts';
import { useServices, useView } from '../services.ts';
import { isWithin } from './chart-cursor.ts';
import { NOT_IN_PICTURES } from './dom-picture.ts';
import { instantAt, xOf } from './plot-frame.ts';
import type { EventGroup } from './event-groups.ts';
import { MarkLane } from './event-marks.tsx';
import { type Frame, LAYER, MARK_LANE_PX, TIME_AXIS_PX } from './time-grid.tsx';
import type { WindowControl } from './use-span-window.ts';

/** Position over the charts, in px from their upper left corner. */
export interface OverlayPlace {
  readonly x: number;
  readonly y: number;
}

export interface TimeOverlayProps extends Frame {
  readonly groups?: readonly EventGroup[];
  /** Controls of a live time window; undefined if the time window of the charts is fixed. */
  readonly control: WindowControl | undefined;
  /** Called when the pointer moves, and with undefined when it leaves. */
  readonly onPoint?: (place: OverlayPlace | undefined) => void;
  /** Handles a click; if undefined, a click pins the cursor. */
  readonly onClick?: (place: OverlayPlace) => void;
  /** True if the pointer is on the curve or band of a server, so that a click opens that server. */
  readonly isOnServer?: boolean;
}

const looks = {
  draggable: 'cursor-crosshair select-none [touch-action:pan-y]',
  overServer: 'cursor-pointer select-none [touch-action:pan-y]',
};
const NO_GROUPS: readonly EventGroup[] = [];

/** Distance in px from the pinned cursor within which a click removes it. */
const PIN_WITHIN_PX = 6;
/** Width of a digit of the cursor's label, in px. */
const DIGIT_PX = 6.2;

/** Overlay over all charts of a stack, at their full height: event marks, the cursors, and the selection for a zoom. */
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
      className={`${LAYER} ${isOnServer === true ? looks.overServer : control === undefined ? '' : looks.draggable}`}
      width={width}
      height={height}
      aria-hidden="true"
      data-moment={UNDER_POINTER}
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
      // The position of the click itself is used, because a click may come without a pointer movement, or before that movement
      // is rendered.
      onClick={(event) => isOfDrag() || (onClick === undefined ? pin(xIn(event)) : onClick(placeOf(event)))}
      onDoubleClick={() => {
        view.setState({ pinnedAt: undefined });
        control?.back();
      }}
    >
      <g {...{ [NOT_IN_PICTURES]: '' }}>
        {drag !== undefined && (
          <Selection from={clampedAt(drag.fromX, props)} to={clampedAt(drag.toX, props)} frame={props} />
        )}
        <Cursors window={window} width={width} height={height} />
      </g>
      <MarkLane groups={groups} bottom={height - TIME_AXIS_PX} zoom={control?.zoom} />
    </svg>
  );
});

const placeOf = (event: MouseEvent<SVGSVGElement>): OverlayPlace => ({
  x: xIn(event),
  y: event.clientY - event.currentTarget.getBoundingClientRect().top,
});

/** Returns the instant at `x`. Outside the plot, it is the instant at the nearer edge. */
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
      className="fill-accent stroke-accent opacity-16"
      x={left}
      width={(right ?? 0) - (left ?? 0)}
      y={MARK_LANE_PX}
      height={frame.height - MARK_LANE_PX - TIME_AXIS_PX}
    />
  );
}

/** Pinned cursor, with the pointer's cursor drawn above it. */
function Cursors(frame: Frame) {
  const cursorAt = useView((state) => state.cursorAt);
  const pinnedAt = useView((state) => state.pinnedAt);
  return (
    <>
      {pinnedAt !== undefined && <Cursor at={pinnedAt} look="pin" frame={frame} />}
      {cursorAt !== undefined && <Cursor at={cursorAt} look="cursor" frame={frame} />}
    </>
  );
}

const cursorLooks = {
  cursor: { line: 'stroke-dim [stroke-dasharray:2_2]', label: 'fill-text', words: 'fill-ground' },
  pin: { line: 'stroke-accent stroke-[1.5]', label: 'fill-accent', words: 'fill-on-accent' },
};

interface CursorProps {
  readonly at: number;
  readonly look: keyof typeof cursorLooks;
  readonly frame: Frame;
}

function Cursor({ at, look, frame: { window, width, height } }: CursorProps) {
  if (!isWithin(at, window)) return null;
  const x = xOf(at, window, width);
  const { line, label, words } = cursorLooks[look];
  const instant = formatInstant(at, window.to - window.from);
  const labelPx = instant.length * DIGIT_PX + 12;
  // The label stays within the chart when the cursor is at its edge.
  const middle = Math.min(Math.max(x, labelPx / 2), width - labelPx / 2);
  return (
    <g className="pointer-events-none" data-cursor={Math.round(at)}>
      <line className={line} x1={x} x2={x} y1={MARK_LANE_PX} y2={height - TIME_AXIS_PX} />
      <rect
        className={label}
        x={middle - labelPx / 2}
        y={height - TIME_AXIS_PX + 3}
        width={labelPx}
        height={17}
        rx={4}
      />
      <text className={`${words} text-12`} textAnchor="middle" x={middle} y={height - 6}>
        {instant}
      </text>
    </g>
  );
}

/** Minimum distance in px at which a pointer movement is a drag. */
const DRAG_PX = 4;

/** Start and current position of a drag, in px from the left edge of the element. */
interface Drag {
  readonly fromX: number;
  readonly toX: number;
}

interface DragHandlers {
  readonly onPointerDown: (event: PointerEvent<SVGSVGElement>) => void;
  readonly onPointerMove: (event: PointerEvent<SVGSVGElement>) => void;
  readonly onPointerUp: (event: PointerEvent<SVGSVGElement>) => void;
  readonly onPointerCancel: () => void;
}

/** Distinguishes clicks from drags. Returns the current drag, and a function that tells if the last click ended a drag. */
function useDrag(isOn: boolean, onEnd: (drag: Drag) => void) {
  const pressedX = useRef<number>(undefined);
  const wasDrag = useRef(false);
  const [drag, setDrag] = useState<Drag>();
  const handlers: DragHandlers = {
    onPointerDown: (event) => {
      wasDrag.current = false;
      pressedX.current = isOn && event.button === 0 ? xIn(event) : undefined;
    },
    onPointerMove: (event) => {
      const fromX = pressedX.current;
      const toX = xIn(event);
      if (fromX === undefined || (drag === undefined && Math.abs(toX - fromX) < DRAG_PX)) return;
      // The pointer is captured only during a drag, because event marks receive no click while it is captured.
      event.currentTarget.setPointerCapture(event.pointerId);
      wasDrag.current = true;
      setDrag({ fromX, toX });
    },
    onPointerUp: () => {
      pressedX.current = undefined;
      if (drag !== undefined) onEnd(drag);
      setDrag(undefined);
    },
    onPointerCancel: () => {
      pressedX.current = undefined;
      setDrag(undefined);
    },
  };
  /** True if the last click ended a drag. */
  const isOfDrag = () => wasDrag.current;
  return { drag, isOfDrag, handlers };
}

/** x of the pointer, in px from the left edge of the listening element. */
const xIn = (event: { readonly clientX: number; readonly currentTarget: SVGSVGElement }): number =>
  event.clientX - event.currentTarget.getBoundingClientRect().left;
