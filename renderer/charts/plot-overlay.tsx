import type { MouseEvent } from 'react';
import { TITLE_PX, xOf } from './plot-frame.ts';
import { TIME_AXIS_PX } from './time-grid.tsx';
import { useDrag, xIn } from './use-drag.ts';
import type { TimeWindow } from './downsample.ts';
import { NOT_IN_PICTURES } from './dom-picture.ts';
import styles from './plot-overlay.module.css';

/** A place over the charts, from their left and upper edge in pixels. */
export interface Place {
  readonly x: number;
  readonly y: number;
}

interface PlotOverlayProps {
  readonly window: TimeWindow;
  readonly width: number;
  readonly height: number;
  readonly cursorAt: number | undefined;
  /** Whether a click leads anywhere. */
  readonly isOnServer: boolean;
  readonly onPoint: (place: Place | undefined) => void;
  readonly onClick: (place: Place) => void;
  /** Places between which was dragged, the left one first. */
  readonly onDrag: (fromX: number, toX: number) => void;
}

/** What the pointer does over charts under each other, and the cursor through them. */
export function PlotOverlay(props: PlotOverlayProps) {
  const { window, width, height, cursorAt, isOnServer, onPoint, onClick, onDrag } = props;
  const { drag, isOfDrag, handlers } = useDrag(true, ({ fromX, toX }) =>
    onDrag(Math.min(fromX, toX), Math.max(fromX, toX)),
  );
  const bottom = height - TIME_AXIS_PX;
  const x = cursorAt === undefined ? undefined : xOf(cursorAt, window, width);
  return (
    <svg
      className={isOnServer ? styles.overServer : styles.overlay}
      width={width}
      height={height}
      aria-hidden="true"
      {...{ [NOT_IN_PICTURES]: '' }}
      {...handlers}
      onPointerMove={(event) => {
        onPoint(placeOf(event));
        handlers.onPointerMove(event);
      }}
      onPointerLeave={() => onPoint(undefined)}
      onClick={(event) => isOfDrag() || onClick(placeOf(event))}
    >
      {drag !== undefined && (
        <rect
          className={styles.selection}
          x={Math.min(drag.fromX, drag.toX)}
          width={Math.abs(drag.toX - drag.fromX)}
          y={TITLE_PX}
          height={bottom - TITLE_PX}
        />
      )}
      {x !== undefined && <line className={styles.cursor} x1={x} x2={x} y1={TITLE_PX} y2={bottom} />}
    </svg>
  );
}

const placeOf = (event: MouseEvent<SVGSVGElement>): Place => ({
  x: xIn(event),
  y: event.clientY - event.currentTarget.getBoundingClientRect().top,
});
