import type { ReactNode } from 'react';
import type { Gap, TimeWindow } from './downsample.ts';
import { figureAtY, instantAt, TITLE_PX } from './plot-frame.ts';
import { TimeCursor, type TimeCursorProps } from './time-cursor.tsx';
import { MARK_LANE_PX, NowMark, TIME_AXIS_PX, TimeGrid } from './time-grid.tsx';
import { TimeOverlay, type OverlayPlace, type TimeOverlayProps } from './time-overlay.tsx';
import type { ValueAxis } from './axis.ts';

/** One chart of a stack. */
export interface StackBlock {
  readonly key: string;
  /** Title above the chart, explained by `meaning`. Charts without titles are close together, below the lane of event marks. */
  readonly title?: ReactNode;
  readonly meaning?: string | undefined;
  /** Text of the chart for screen readers. */
  readonly words?: string;
  readonly chart: ReactNode;
  readonly height: number;
  readonly axis: Pick<ValueAxis, 'top'>;
  /** Content beside the chart; undefined if there is none. */
  readonly beside?: ReactNode;
}

/** Pointer position over the charts, converted to a time and a value. */
export interface StackPoint {
  /** Instant; undefined outside the plot. */
  readonly at: number | undefined;
  /** Index of the chart in the stack. */
  readonly block: number;
  readonly figure: number;
}

interface TimeStackProps extends Pick<TimeOverlayProps, 'groups' | 'isOnServer' | 'control'> {
  readonly blocks: readonly StackBlock[];
  readonly window: TimeWindow;
  readonly width: number;
  readonly absences: readonly Gap[];
  readonly cursor: Omit<TimeCursorProps, 'window' | 'control'>;
  /** Called when the pointer moves, and with undefined when it leaves. */
  readonly onPoint?: (point: StackPoint | undefined) => void;
  /** Handles a click; if undefined, a click pins the cursor. */
  readonly onClick?: (point: StackPoint | undefined) => void;
  /** Content above the charts, for example a tooltip. */
  readonly children?: ReactNode;
}

const titlePx = ({ title }: StackBlock): number => (title === undefined ? 0 : TITLE_PX);
const laneOf = (blocks: readonly StackBlock[]): number => (blocks[0]?.title === undefined ? MARK_LANE_PX : 0);

/** Height of a stack with its time axis, in px. */
export const stackHeight = (blocks: readonly StackBlock[]): number =>
  blocks.reduce((sum, block) => sum + titlePx(block) + block.height, laneOf(blocks) + TIME_AXIS_PX);

/** Charts stacked over one time axis, with one cursor and with event marks across all of them. */
export function TimeStack({
  blocks,
  window,
  width,
  absences,
  control,
  cursor,
  children,
  ...over
}: TimeStackProps) {
  const { onPoint, onClick, ...overlay } = over;
  const lane = laneOf(blocks);
  const frame = { window, width, height: stackHeight(blocks) };
  const pointOf = ({ x, y }: OverlayPlace): StackPoint | undefined => {
    let top = lane;
    const found = blocks.findIndex((block) => y < (top += titlePx(block) + block.height));
    const block = blocks[found];
    if (block === undefined) return undefined;
    const figure = figureAtY(y - (top - block.height), block);
    return { at: instantAt(x, window, width), block: found, figure };
  };
  return (
    <>
      <TimeGrid {...frame} absences={absences} words={lane === 0 ? 'shade' : 'lane'} />
      {control !== undefined && <NowMark {...frame} />}
      {lane > 0 && <div style={{ height: lane }} />}
      {blocks.map((block) => (
        <div key={block.key} className="relative">
          {block.title !== undefined && (
            <p
              className="relative flex items-end gap-8 w-fit max-w-full pl-16 text-13 font-semibold text-text"
              style={{ height: TITLE_PX }}
              data-tip={block.meaning}
            >
              {block.title}
            </p>
          )}
          <div {...(block.words !== undefined && { role: 'img', 'aria-label': block.words })}>
            {block.chart}
          </div>
          {block.beside}
        </div>
      ))}
      <TimeOverlay
        {...{ ...frame, ...overlay, control }}
        {...(onPoint && { onPoint: (place) => onPoint(place && pointOf(place)) })}
        {...(onClick && { onClick: (place) => onClick(pointOf(place)) })}
      />
      {children}
      <TimeCursor {...{ ...cursor, window, control }} />
    </>
  );
}
