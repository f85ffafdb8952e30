import { memo } from 'react';
import { Area, CartesianGrid, ComposedChart, Line, ReferenceDot, ReferenceLine, XAxis } from 'recharts';
import { stripMargin, valueAxis } from './axis-frame.tsx';
import { crossAt, curveLook } from './curve-look.ts';
import { withStubs, type ChartRow, type TimeWindow } from './downsample.ts';
import { limitPlaces, type LimitPlace } from './limit-places.ts';
import type { StripProps } from './live-strip.tsx';
import type { ValueAxis } from './value-axis.ts';

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

/** Place of the words at the line that Recharts knows by these names. */
const labelPlace = ({ isBelow, isLate }: LimitPlace) =>
  `inside${isBelow ? 'Top' : 'Bottom'}${isLate ? 'Right' : 'Left'}` as const;

/** Part of the window in which a limit is drawn; one beyond the axis has its words at the upper edge alone. */
const segmentOf = ({ limit, from, to, isWithin }: LimitPlace, { top }: ValueAxis) => {
  const y = isWithin ? limit.value : top;
  return [
    { x: from, y },
    { x: to, y },
  ] as const;
};

/** Rows, or two empty ones for the edges, because the axis needs at least one row. */
function rowsOrEdges(rows: readonly ChartRow[], { from, to }: TimeWindow): readonly ChartRow[] {
  if (rows.length > 0) return rows;
  return [from, to].map((at) => ({ at, average: null, least: null, most: null }));
}

function ErrorMark({ cx = 0, cy = 0 }: { readonly cx?: number; readonly cy?: number }) {
  return (
    <path data-mark="errors" d={crossAt(cx, cy)} fill="none" stroke="var(--state-failed)" strokeWidth={1.8} />
  );
}

/**
 * One curve of a time that is over, drawn by Recharts, since it is drawn once. The time axis, the cursor and the
 * event marks belong to the stack around it; what grows is drawn by LiveStrip.
 */
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
}: StripProps) {
  const colour = `var(--${figure.id})`;
  const common = {
    stroke: colour,
    strokeWidth: curveLook.strokeWidth,
    isAnimationActive: false,
    connectNulls: false,
    dot: false,
    activeDot: false,
  } as const;
  return (
    <ComposedChart
      width={width}
      height={height}
      data={[...rowsOrEdges(withStubs(data.rows, bucketMs, window), window)]}
      margin={stripMargin}
      accessibilityLayer={false}
    >
      <CartesianGrid vertical={false} stroke="var(--line)" />
      <XAxis dataKey="at" type="number" domain={[window.from, window.to]} allowDataOverflow hide />
      {valueAxis({ axis, format: figure.format })}
      {data.isBanded && figure.shape !== 'steps' && (
        <Area
          dataKey={bandOf}
          {...common}
          stroke="none"
          fill={colour}
          fillOpacity={curveLook.bandOpacity}
          type="linear"
        />
      )}
      {figure.shape === 'area' || figure.shape === 'blocks' ? (
        <Area
          dataKey="average"
          {...common}
          fill={colour}
          fillOpacity={figure.shape === 'area' ? curveLook.areaOpacity : curveLook.blockOpacity}
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
      {limitPlaces(limits, axis, window).map((place) => (
        <ReferenceLine
          key={place.limit.from}
          segment={segmentOf(place, axis)}
          stroke={place.isWithin ? 'var(--dim)' : 'none'}
          strokeDasharray="5 4"
          label={{ ...limitLabel, value: place.words, position: labelPlace(place) }}
        />
      ))}
      {marks.map(({ at, value }) => (
        <ReferenceDot key={at} x={at} y={value} shape={ErrorMark} />
      ))}
    </ComposedChart>
  );
});
