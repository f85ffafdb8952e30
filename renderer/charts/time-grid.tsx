import { memo } from 'react';
import { useNow } from '../services.ts';
import { absenceWords, type Gap, type TimeWindow } from './downsample.ts';
import { xOf } from './plot-frame.ts';
import { timeTicks } from './axis.ts';

/** Height in px of the lane that contains the event marks, and of the time axis. */
export const MARK_LANE_PX = 26;
export const TIME_AXIS_PX = 22;
/** Half the width in px of the mark of the current time. */
const NOW_PX = 4;
/** y position of a gap's label: in the lane of event marks, or in the shaded area if titles fill that lane. */
const WORDS_Y = { lane: MARK_LANE_PX - 8, shade: MARK_LANE_PX + 28 };
/** Minimum width in px of a gap for it to get a label. */
const ABSENCE_WORDS_PX = 120;

/** CSS classes of an SVG layer that covers a whole stack of charts, under or over the curves. */
export const LAYER = 'absolute top-0 left-0 block';

export interface Frame {
  readonly window: TimeWindow;
  readonly width: number;
  readonly height: number;
}

interface TimeGridProps extends Frame {
  readonly absences: readonly Gap[];
  readonly words?: keyof typeof WORDS_Y;
}

/** Time axis behind the curves, with the gaps in which nothing was measured. */
export const TimeGrid = memo(function TimeGrid({
  window,
  width,
  height,
  absences,
  words = 'lane',
}: TimeGridProps) {
  const bottom = height - TIME_AXIS_PX;
  const shown = absences.filter(({ from, to }) => to > window.from && from < window.to);
  return (
    <svg className={LAYER} width={width} height={height} aria-hidden="true">
      {shown.map((absence) => (
        <AbsentTime key={absence.from} absence={absence} {...{ window, width, height }} />
      ))}
      {timeTicks(window).map(({ at, label }) => {
        const x = xOf(at, window, width);
        return (
          <g key={at}>
            <line className="stroke-line" x1={x} x2={x} y1={MARK_LANE_PX} y2={bottom} />
            <text className="fill-faint text-12" textAnchor="middle" x={x} y={height - 6}>
              {label}
            </text>
          </g>
        );
      })}
      {shown.map((absence) => (
        <AbsenceWords key={absence.from} absence={absence} {...{ window, width }} place={words} />
      ))}
    </svg>
  );
});

const placeOf = ({ from, to }: Gap, window: TimeWindow, width: number) => {
  const left = xOf(Math.max(from, window.from), window, width);
  return { left, widthPx: xOf(Math.min(to, window.to), window, width) - left };
};

/** Shaded area over a gap. */
function AbsentTime({ absence, window, width, height }: Frame & { readonly absence: Gap }) {
  const { left, widthPx } = placeOf(absence, window, width);
  const bottom = height - TIME_AXIS_PX;
  return (
    <rect
      className="fill-hover"
      x={left}
      width={Math.max(1, widthPx)}
      y={MARK_LANE_PX}
      height={bottom - MARK_LANE_PX}
    />
  );
}

interface AbsenceWordsProps {
  readonly absence: Gap;
  readonly window: TimeWindow;
  readonly width: number;
  readonly place: keyof typeof WORDS_Y;
}

/** Label with the reason for a gap, shown if there is room for it. */
function AbsenceWords({ absence, window, width, place }: AbsenceWordsProps) {
  const { left, widthPx } = placeOf(absence, window, width);
  if (widthPx < ABSENCE_WORDS_PX) return null;
  return (
    <text
      // If the label is in the shaded area, an outline keeps it readable where a curve ends.
      className={`fill-faint text-12 ${place === 'shade' ? 'stroke-hover stroke-4 [paint-order:stroke]' : ''}`}
      textAnchor="middle"
      x={left + widthPx / 2}
      y={WORDS_Y[place]}
    >
      {absenceWords[absence.reason]}
    </text>
  );
}

/** Mark of the current time on the axis. It is a separate component because it is the only thing that moves every second. */
export function NowMark({ window, width, height }: Frame) {
  const now = useNow((instant) => Math.round(instant / 1000) * 1000);
  if (now < window.from || now > window.to) return null;
  const y = height - TIME_AXIS_PX;
  const x = Math.round(xOf(now, window, width) * 10) / 10;
  return (
    <svg className={LAYER} width={width} height={height} aria-hidden="true">
      <path className="fill-faint" d={`M${x} ${y}l${NOW_PX} ${NOW_PX + 2}h${-2 * NOW_PX}Z`} />
    </svg>
  );
}
