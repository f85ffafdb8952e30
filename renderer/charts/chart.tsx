import { createContext, memo, useContext, useId, useMemo } from 'react';
import { CartesianGrid, ComposedChart, ReferenceLine, usePlotArea, XAxis, YAxis } from 'recharts';
import { crossAt, curvePaths, type CurveScale, type CurveShape } from './curve-path.ts';
import { withStubs, type ChartRow, type ChartRows, type TimeWindow } from './downsample.ts';
import { limitPlaces, type ChartLimit, type LimitPlace } from './limits.ts';
import { PLOT_LEFT_PX, PLOT_RIGHT_PX, STRIP_BOTTOM_PX, STRIP_TOP_PX } from './plot-frame.ts';
import { tickLabels, type ValueAxis } from './axis.ts';
import styles from './chart.module.css';

/** One curve of a chart, with its data. */
export interface ChartSeries extends ChartRows {
  readonly key: string;
  readonly colour: string;
  /**
   * Slot of the curve's colour, that is, its index in the list of colours. Tests and styles identify the curve by it. Undefined
   * if the curve is grey or its colour is not from that list.
   */
  readonly slot?: number | undefined;
}

/** Point of a curve that is marked because calls failed there. */
export interface ChartMark {
  readonly at: number;
  readonly value: number;
}

interface ChartProps {
  readonly kind: CurveShape;
  /** Curves from back to front; for a stack, bands from bottom to top. */
  readonly series: readonly ChartSeries[];
  readonly axis: ValueAxis;
  readonly format: (value: number) => string;
  readonly window: TimeWindow;
  readonly width: number;
  readonly height: number;
  /** Time in ms that one row covers. A row without neighbours is drawn in this width, because it would otherwise be invisible. */
  readonly bucketMs: number;
  readonly limits?: readonly ChartLimit[] | undefined;
  readonly marks?: readonly ChartMark[] | undefined;
  /** Key of the highlighted curve; among several curves only this one shows the band between minimum and maximum. */
  readonly pointed?: string | undefined;
  /** True if the curve is live and grows at its newest point, which is then marked. */
  readonly grows?: boolean;
  /** Rows of the same figure at an earlier time, drawn as a thin line for comparison. */
  readonly compared?: readonly ChartRow[] | undefined;
  /** Rows that are drawn as thin separating lines between the bands of a stack that have the same colour. */
  readonly between?: readonly (readonly ChartRow[])[] | undefined;
}

const DrawnContext = createContext<ChartProps | undefined>(undefined);

/**
 * The only component that draws curves. Recharts draws the axis, grid and limits, and redraws them only when the scale or the
 * size changes. The curves are inside the Recharts chart and read their data from a context, so that a new sample requires only
 * one path to be redrawn.
 */
export const Chart = memo(function Chart(props: ChartProps) {
  const { axis, format, window, width, height, limits } = props;
  const places = useMemo(() => limitPlaces(limits ?? [], axis, window), [limits, axis, window]);
  return (
    <DrawnContext value={props}>
      <div className={`${styles.chart} relative`} style={{ height }}>
        <Frame {...{ axis, format, places, width, height }} />
      </div>
    </DrawnContext>
  );
});

interface LayerProps extends ChartProps {
  readonly plot: NonNullable<ReturnType<typeof usePlotArea>>;
}

interface FrameProps extends Pick<ChartProps, 'axis' | 'format' | 'width' | 'height'> {
  readonly places: readonly LimitPlace[];
}

const margin = { top: STRIP_TOP_PX, right: PLOT_RIGHT_PX, bottom: STRIP_BOTTOM_PX, left: 0 };
const tick = { fill: 'var(--faint)', fontSize: 12 };
/** One dummy row, because Recharts draws no axis for a chart without data. */
const rows = [{ at: 0 }];

const isSameFrame = (before: FrameProps, after: FrameProps): boolean =>
  before.axis.top === after.axis.top &&
  before.axis.ticks.length === after.axis.ticks.length &&
  before.format === after.format &&
  before.width === after.width &&
  before.height === after.height &&
  JSON.stringify(before.places) === JSON.stringify(after.places);

/** Frame of a chart. Its time axis runs from 0 to 1, so that the frame does not change when a time window advances. */
const Frame = memo(function Frame({ axis, format, places, width, height }: FrameProps) {
  const labels = tickLabels(axis.ticks, format);
  return (
    <ComposedChart width={width} height={height} data={rows} margin={margin} accessibilityLayer={false}>
      <CartesianGrid vertical={false} stroke="var(--line)" />
      <XAxis dataKey="at" type="number" domain={[0, 1]} allowDataOverflow hide />
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
      <Curves />
      {places.map((place) => (
        <ReferenceLine
          key={place.from}
          segment={[
            { x: place.from, y: place.y },
            { x: place.to, y: place.y },
          ]}
          stroke={place.isWithin ? 'var(--dim)' : 'none'}
          strokeDasharray="5 4"
          label={{ ...limitLabel, value: place.words, position: labelPosition(place) }}
        />
      ))}
    </ComposedChart>
  );
}, isSameFrame);

/** Style of a limit's label. An outline in the background colour keeps it legible over a curve. */
const limitLabel = {
  fill: 'var(--dim)',
  fontSize: 12,
  offset: 4,
  stroke: 'var(--ground)',
  strokeWidth: 3,
  paintOrder: 'stroke',
} as const;

/** Returns the label position in the form in which Recharts expects it, such as `insideTopRight`. */
const labelPosition = ({ isBelow, isLate }: LimitPlace) =>
  `inside${isBelow ? 'Top' : 'Bottom'}${isLate ? 'Right' : 'Left'}` as const;

/** Layer of the curves inside the frame. It draws nothing until the plot area is known. */
function Curves() {
  const drawn = useContext(DrawnContext);
  const plot = usePlotArea();
  return drawn === undefined || plot === undefined ? null : <Layer {...drawn} plot={plot} />;
}

/** Extra room in px above and below the plot, so that a curve at the edge is not cut off at half its stroke width. */
const EDGE_PX = 2;

function Layer({ kind, series, axis: { top }, window, bucketMs, plot, ...looks }: LayerProps) {
  const { marks = [], pointed, grows = false, between = [], compared } = looks;
  const clip = useId();
  const edge = kind === 'stack' ? 0 : EDGE_PX;
  const scale = useMemo(
    (): CurveScale => ({
      xOf: (at) => plot.x + ((at - window.from) / (window.to - window.from)) * plot.width,
      yOf: (value) => plot.y + (1 - value / top) * plot.height,
      baseY: plot.y + plot.height,
    }),
    [plot, window, top],
  );
  const lines = useMemo(
    () => between.map((rows) => curvePaths({ rows, isBanded: false }, 'line', scale).line).join(''),
    [between, scale],
  );
  const comparedLine = compared && <ComparedLine {...{ kind, scale }} rows={compared} />;
  const newest = grows ? series[0]?.rows.at(-1) : undefined;
  return (
    <g className={pointed === undefined ? undefined : styles.hasPointed}>
      <clipPath id={clip}>
        <rect x={plot.x} y={plot.y - edge} width={plot.width} height={Math.max(0, plot.height + 2 * edge)} />
      </clipPath>
      <g clipPath={`url(#${clip})`}>
        {kind !== 'stack' && comparedLine}
        {series.map((one) => (
          <Curve
            key={one.key}
            {...{ kind, scale, window, bucketMs }}
            series={one}
            isPointed={one.key === pointed}
            isAlone={series.length === 1}
          />
        ))}
        {lines !== '' && <path className={BETWEEN} d={lines} />}
        {/* The bands of a stack would hide the line of the compared time if it were drawn behind them. */}
        {kind === 'stack' && comparedLine}
      </g>
      {/* A ring in the background colour separates the end point from the curve. */}
      {newest?.average != null && (
        <circle
          className="stroke-ground stroke-[1.5px]"
          style={{ fill: series[0]?.colour }}
          r={2.5}
          cx={scale.xOf(newest.at)}
          cy={scale.yOf(kind === 'steps' ? Math.round(newest.average) : newest.average)}
        />
      )}
      {marks.map(({ at, value }) => (
        <path
          key={at}
          data-mark="errors"
          className="fill-none stroke-failed stroke-[1.8]"
          d={crossAt(scale.xOf(at), scale.yOf(value))}
        />
      ))}
    </g>
  );
}

const BETWEEN = 'fill-none stroke-ground stroke-[0.6px] [stroke-opacity:0.5]';
/** The curve of the compared time is thinner and grayer than any other, and dashed because some servers' colour is grey, too. */
const COMPARED = 'fill-none stroke-dim stroke-1 [stroke-dasharray:4_2] [stroke-linejoin:round]';

interface ComparedLineProps extends Pick<ChartProps, 'kind'> {
  readonly rows: readonly ChartRow[];
  readonly scale: CurveScale;
}

function ComparedLine({ kind, rows, scale }: ComparedLineProps) {
  const line = useMemo(() => {
    const shape = kind === 'steps' || kind === 'blocks' ? kind : 'line';
    return curvePaths({ rows, isBanded: false }, shape, scale).line;
  }, [rows, kind, scale]);
  return <path className={COMPARED} data-curve="compared" d={line} />;
}

interface CurveProps extends Pick<ChartProps, 'kind' | 'window' | 'bucketMs'> {
  readonly series: ChartSeries;
  readonly scale: CurveScale;
  readonly isPointed: boolean;
  readonly isAlone: boolean;
}

const Curve = memo(function Curve({ kind, series, scale, window, bucketMs, isPointed, isAlone }: CurveProps) {
  const { key, colour, slot, rows, isBanded } = series;
  const { line, area, band } = useMemo(() => {
    const drawn = kind === 'stack' ? rows : withStubs(rows, bucketMs, window);
    return curvePaths({ rows: drawn, isBanded }, kind, scale);
  }, [rows, isBanded, kind, scale, bucketMs, window]);
  const hasBand = kind === 'stack' || ((isAlone || isPointed) && band !== '');
  return (
    <g
      className={isPointed ? styles.pointed : undefined}
      data-kind={kind}
      data-series={key}
      data-slot={slot}
      style={{ color: colour }}
    >
      {hasBand && <path className={styles.band} data-curve="band" d={band} />}
      {area !== '' && <path className={styles.area} data-curve="area" d={area} />}
      {kind !== 'stack' && <path className={styles.line} data-curve="line" d={line} />}
    </g>
  );
});
