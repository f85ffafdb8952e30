import { memo } from 'react';
import { useNow } from '../services.ts';
import type { TimeWindow } from './downsample.ts';
import { xOf } from './plot-frame.ts';
import { timeTicks } from './time-axis.ts';
import styles from './time-overlay.module.css';

/** Height of the lane that holds the shapes of events. */
export const MARK_LANE_PX = 26;
export const TIME_AXIS_PX = 22;
/** Half of the foot of the mark of now. */
const NOW_PX = 4;

export interface Frame {
  readonly window: TimeWindow;
  readonly width: number;
  readonly height: number;
}

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

/** Mark of now on the time axis. It is alone to move each second. */
export function NowMark({ window, width, height }: Frame) {
  const now = useNow((instant) => Math.round(instant / 1000) * 1000);
  if (now < window.from || now > window.to) return null;
  const y = height - TIME_AXIS_PX;
  const x = Math.round(xOf(now, window, width) * 10) / 10;
  return (
    <svg className={styles.grid} width={width} height={height} aria-hidden="true">
      <path className={styles.now} d={`M${x} ${y}l${NOW_PX} ${NOW_PX + 2}h${-2 * NOW_PX}Z`} />
    </svg>
  );
}
