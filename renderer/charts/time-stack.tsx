import type { ReactNode } from 'react';
import type { Gap } from './gaps.ts';
import { figureAtY, instantAt, TITLE_PX } from './plot-frame.ts';
import { TimeCursor, type TimeCursorProps } from './time-cursor.tsx';
import { MARK_LANE_PX, NowMark, TIME_AXIS_PX, TimeGrid } from './time-grid.tsx';
import { TimeOverlay, type OverlayPlace, type TimeOverlayProps } from './time-overlay.tsx';
import type { TimeWindow } from './downsample.ts';
import type { ValueAxis } from './axis.ts';
import type { WindowControl } from './use-span-window.ts';
import styles from './time-stack.module.css';

/** One chart of several under each other. */
export interface StackBlock {
  readonly key: string;
  /** Above the chart, and what it means; charts without titles stand close, below the lane of events. */
  readonly title?: ReactNode;
  readonly meaning?: string | undefined;
  /** The chart in words, for whoever cannot see it. */
  readonly words?: string;
  readonly chart: ReactNode;
  readonly height: number;
  readonly axis: Pick<ValueAxis, 'top'>;
  /** Beside the chart. */
  readonly beside?: ReactNode;
}

/** A place over the charts in what they show. */
export interface StackPoint {
  /** Undefined beside the plot. */
  readonly at: number | undefined;
  /** Number of the chart. */
  readonly block: number;
  readonly figure: number;
}

interface TimeStackProps extends Pick<TimeOverlayProps, 'groups' | 'isOnServer'> {
  readonly blocks: readonly StackBlock[];
  readonly window: TimeWindow;
  readonly width: number;
  readonly absences: readonly Gap[];
  /** Undefined for charts whose window stands still. */
  readonly control: WindowControl | undefined;
  readonly cursor: Omit<TimeCursorProps, 'window' | 'control'>;
  /** The pointer moved, or left. */
  readonly onPoint?: (point: StackPoint | undefined) => void;
  /** Takes a click; without it, a click pins the cursor. */
  readonly onClick?: (point: StackPoint | undefined) => void;
  /** Above the charts. */
  readonly children?: ReactNode;
}

const titlePx = ({ title }: StackBlock): number => (title === undefined ? 0 : TITLE_PX);
const laneOf = (blocks: readonly StackBlock[]): number => (blocks[0]?.title === undefined ? MARK_LANE_PX : 0);

/** Height of charts under each other with their time axis. */
export const stackHeight = (blocks: readonly StackBlock[]): number =>
  blocks.reduce((sum, block) => sum + titlePx(block) + block.height, laneOf(blocks) + TIME_AXIS_PX);

/** Charts under each other on one time axis, with one cursor, and the events through all of them. */
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
        <div key={block.key} className={styles.block}>
          {block.title !== undefined && (
            <p className={styles.title} style={{ height: TITLE_PX }} data-tip={block.meaning}>
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
