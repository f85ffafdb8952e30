import { memo } from 'react';
import { CartesianGrid, ComposedChart, YAxis } from 'recharts';
import { STRIP_BOTTOM_PX, STRIP_TOP_PX } from './curve-look.ts';
import { PLOT_LEFT_PX, PLOT_RIGHT_PX } from './plot-frame.ts';
import { tickLabels, type ValueAxis } from './value-axis.ts';

interface AxisFrameProps {
  readonly axis: ValueAxis;
  readonly format: (value: number) => string;
  readonly width: number;
  readonly height: number;
}

export const stripMargin = {
  top: STRIP_TOP_PX,
  right: PLOT_RIGHT_PX,
  bottom: STRIP_BOTTOM_PX,
  left: 0,
};
const tick = { fill: 'var(--faint)', fontSize: 12 };
/** One row, because a chart without any draws no axis. */
const rows = [{ at: 0 }];

/** The value axis of a strip, made alike for every chart. */
export const valueAxis = ({ axis, format }: Pick<AxisFrameProps, 'axis' | 'format'>) => {
  const labels = tickLabels(axis.ticks, format);
  return (
    <YAxis
      width={PLOT_LEFT_PX}
      domain={[0, axis.top]}
      allowDataOverflow
      ticks={[...axis.ticks]}
      interval={0}
      tickFormatter={(value: number) => labels.get(value) ?? ''}
      tick={tick}
      tickLine={false}
      axisLine={false}
      tickMargin={6}
    />
  );
};

const isSameFrame = (before: AxisFrameProps, after: AxisFrameProps): boolean =>
  before.axis.top === after.axis.top &&
  before.axis.ticks.length === after.axis.ticks.length &&
  before.format === after.format &&
  before.width === after.width &&
  before.height === after.height;

/**
 * Value axis and grid without a curve. Recharts builds it anew only when the scale or the size changes, because
 * a chart of it costs as much as a hundred paths.
 */
export const AxisFrame = memo(function AxisFrame({ axis, format, width, height }: AxisFrameProps) {
  return (
    <ComposedChart width={width} height={height} data={rows} margin={stripMargin} accessibilityLayer={false}>
      <CartesianGrid vertical={false} stroke="var(--line)" />
      {valueAxis({ axis, format })}
    </ComposedChart>
  );
}, isSameFrame);
