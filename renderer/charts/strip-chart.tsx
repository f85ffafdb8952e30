import { memo } from 'react';
import {
  Area,
  CartesianGrid,
  ComposedChart,
  Line,
  ReferenceDot,
  ReferenceLine,
  XAxis,
  YAxis,
} from 'recharts';
import type { ChartLimit, FigureLook } from './chart-figures.ts';
import { withStubs, type ChartRow, type ChartRows, type TimeWindow } from './downsample.ts';
import { PLOT_LEFT_PX, PLOT_RIGHT_PX } from './plot-frame.ts';
import type { ChartMark } from './use-curves.ts';
import { formatTick, type ValueAxis } from './value-axis.ts';

interface StripChartProps {
  readonly figure: FigureLook;
  readonly data: ChartRows;
  readonly axis: ValueAxis;
  readonly limits: readonly ChartLimit[];
  readonly marks: readonly ChartMark[];
  readonly window: TimeWindow;
  readonly bucketMs: number;
  readonly width: number;
  readonly height: number;
}

const margin = { top: 10, right: PLOT_RIGHT_PX, bottom: 8, left: 0 };
const tick = { fill: 'var(--faint)', fontSize: 12 };
const bandOf = (row: ChartRow) => (row.least === null || row.most === null ? null : [row.least, row.most]);

/** Count as its readout gives it, rounded because the mean of several samples need not be whole. */
const wholeOf = ({ average }: ChartRow) => (average === null ? null : Math.round(average));

/** Limit label, on the left because the newest samples are on the right, and readable over a curve. */
const limitLabel = {
  fill: 'var(--dim)',
  fontSize: 12,
  offset: 4,
  stroke: 'var(--ground)',
  strokeWidth: 3,
  paintOrder: 'stroke',
} as const;

/** Place of the label: above the line unless that lies too high, and at the end that has room for words. */
function labelPlace({ value, from }: ChartLimit, axis: ValueAxis, window: TimeWindow) {
  const isLate = from > (window.from + window.to) / 2;
  if (value > axis.top * 0.85) return isLate ? 'insideTopRight' : 'insideTopLeft';
  return isLate ? 'insideBottomRight' : 'insideBottomLeft';
}

/** Part of the window in which a limit is drawn: while it was in force. */
const segmentOf = ({ value, from, to }: ChartLimit, window: TimeWindow) =>
  [
    { x: Math.max(from, window.from), y: value },
    { x: Math.min(to, window.to), y: value },
  ] as const;

/** Rows, or two empty ones for the edges, because the axis needs at least one row. */
function rowsOrEdges(rows: readonly ChartRow[], { from, to }: TimeWindow): readonly ChartRow[] {
  if (rows.length > 0) return rows;
  return [from, to].map((at) => ({ at, average: null, least: null, most: null }));
}

const MARK_PX = 3.5;

/** A cross, so that it is not told by its colour alone. */
function ErrorMark({ cx = 0, cy = 0 }: { readonly cx?: number; readonly cy?: number }) {
  const arms = `M${cx - MARK_PX} ${cy - MARK_PX}l${2 * MARK_PX} ${2 * MARK_PX}m0 ${-2 * MARK_PX}l${-2 * MARK_PX} ${2 * MARK_PX}`;
  return <path data-mark="errors" d={arms} fill="none" stroke="var(--state-failed)" strokeWidth={1.8} />;
}

/** One curve over time. The time axis, the cursor and the event marks belong to the stack around it. */
export const StripChart = memo(function StripChart({
  figure,
  data,
  axis,
  limits,
  marks,
  window,
  bucketMs,
  width,
  height,
}: StripChartProps) {
  const colour = `var(--${figure.id})`;
  const common = {
    stroke: colour,
    strokeWidth: 1.5,
    isAnimationActive: false,
    connectNulls: false,
    dot: false,
    activeDot: false,
  } as const;
  return (
    <ComposedChart
      width={width}
      height={height}
      data={[...rowsOrEdges(withStubs(data.rows, bucketMs), window)]}
      margin={margin}
      accessibilityLayer={false}
    >
      <CartesianGrid vertical={false} stroke="var(--line)" />
      <XAxis dataKey="at" type="number" domain={[window.from, window.to]} allowDataOverflow hide />
      <YAxis
        width={PLOT_LEFT_PX}
        domain={[0, axis.top]}
        allowDataOverflow
        ticks={[...axis.ticks]}
        interval={0}
        tickFormatter={(value: number) => formatTick(value, figure.format)}
        tick={tick}
        tickLine={false}
        axisLine={false}
        tickMargin={6}
      />
      {data.isBanded && figure.shape !== 'steps' && (
        <Area dataKey={bandOf} {...common} stroke="none" fill={colour} fillOpacity={0.22} type="linear" />
      )}
      {figure.shape === 'area' || figure.shape === 'blocks' ? (
        <Area
          dataKey="average"
          {...common}
          fill={colour}
          fillOpacity={figure.shape === 'area' ? 0.12 : 0.3}
          type={figure.shape === 'area' ? 'linear' : 'stepAfter'}
        />
      ) : (
        <Line
          {...common}
          {...(figure.shape === 'steps'
            ? { dataKey: wholeOf, type: 'stepAfter' as const }
            : { dataKey: 'average', type: 'linear' as const })}
        />
      )}
      {limits
        .filter(({ value }) => value <= axis.top)
        .map((limit) => (
          <ReferenceLine
            key={limit.from}
            segment={segmentOf(limit, window)}
            stroke="var(--dim)"
            strokeDasharray="5 4"
            label={{ ...limitLabel, value: limit.words, position: labelPlace(limit, axis, window) }}
          />
        ))}
      {marks.map(({ at, value }) => (
        <ReferenceDot key={at} x={at} y={value} shape={ErrorMark} />
      ))}
    </ComposedChart>
  );
});
