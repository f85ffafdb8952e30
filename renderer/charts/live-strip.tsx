import { memo, useMemo } from 'react';
import { AxisFrame } from './axis-frame.tsx';
import type { ChartLimit, FigureLook } from './chart-figures.ts';
import { crossAt, curveLook, STRIP_BOTTOM_PX, STRIP_TOP_PX } from './curve-look.ts';
import { curvePaths, type CurveScale } from './curve-path.ts';
import { withStubs, type ChartRows, type TimeWindow } from './downsample.ts';
import { limitPlaces, type LimitPlace } from './limit-places.ts';
import { xOf } from './plot-frame.ts';
import type { ChartMark } from './use-curves.ts';
import type { ValueAxis } from './value-axis.ts';
import styles from './live-strip.module.css';

export interface StripProps {
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

/**
 * Curve that grows while it is looked at: plain paths before an axis that stands still, because a second of
 * new data must not cost a chart.
 */
export const LiveStrip = memo(function LiveStrip(props: StripProps) {
  const { figure, axis, limits, marks, window, width, height } = props;
  const scale = useMemo(() => scaleOf(window, axis, width, height), [window, axis, width, height]);
  return (
    <div className={styles.strip} style={{ height }}>
      <AxisFrame axis={axis} format={figure.format} width={width} height={height} />
      <svg className={styles.curves} width={width} height={height}>
        <LiveCurve
          figure={figure}
          data={props.data}
          bucketMs={props.bucketMs}
          window={window}
          scale={scale}
        />
        {limitPlaces(limits, axis, window).map((place) => (
          <LimitLine key={place.limit.from} place={place} scale={scale} />
        ))}
        {marks.map(({ at, value }) => (
          <path
            key={at}
            data-mark="errors"
            className={styles.error}
            d={crossAt(scale.xOf(at), scale.yOf(value))}
          />
        ))}
      </svg>
    </div>
  );
});

function scaleOf(window: TimeWindow, { top }: ValueAxis, width: number, height: number): CurveScale {
  const baseY = height - STRIP_BOTTOM_PX;
  return {
    xOf: (at) => xOf(at, window, width),
    yOf: (value) => baseY - (value / top) * (baseY - STRIP_TOP_PX),
    baseY,
  };
}

interface LiveCurveProps extends Pick<StripProps, 'figure' | 'data' | 'bucketMs' | 'window'> {
  readonly scale: CurveScale;
}

function LiveCurve({ figure, data, bucketMs, window, scale }: LiveCurveProps) {
  const { rows } = data;
  const paths = useMemo(
    () => curvePaths({ ...data, rows: withStubs(rows, bucketMs, window) }, figure.shape, scale),
    [data, rows, bucketMs, window, figure.shape, scale],
  );
  const newest = rows.at(-1);
  const color = `var(--${figure.id})`;
  return (
    <g style={{ color }} strokeWidth={curveLook.strokeWidth}>
      {paths.band !== '' && <path className={styles.fill} opacity={curveLook.bandOpacity} d={paths.band} />}
      {paths.area !== '' && (
        <path
          className={styles.fill}
          data-curve="area"
          opacity={figure.shape === 'area' ? curveLook.areaOpacity : curveLook.blockOpacity}
          d={paths.area}
        />
      )}
      <path className={styles.line} data-curve="line" d={paths.line} />
      {newest?.average != null && figure.shape !== 'blocks' && (
        <circle
          className={styles.newest}
          r={2.5}
          cx={scale.xOf(newest.at)}
          cy={scale.yOf(figure.shape === 'steps' ? Math.round(newest.average) : newest.average)}
        />
      )}
    </g>
  );
}

function LimitLine({ place, scale }: { readonly place: LimitPlace; readonly scale: CurveScale }) {
  const { limit, isWithin, isBelow, isLate, words } = place;
  const [left, right] = [scale.xOf(place.from), scale.xOf(place.to)];
  const y = isWithin ? scale.yOf(limit.value) : STRIP_TOP_PX;
  return (
    <g className={styles.limit}>
      {isWithin && <line x1={left} x2={right} y1={y} y2={y} />}
      <text
        x={isLate ? right - 4 : left + 4}
        y={isBelow ? y + 13 : y - (isWithin ? 4 : 2)}
        textAnchor={isLate ? 'end' : 'start'}
      >
        {words}
      </text>
    </g>
  );
}
