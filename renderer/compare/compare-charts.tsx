import { useElementSize, useMergedRef } from '@mantine/hooks';
import { useMemo, useState } from 'react';
import type { Gap } from '../charts/downsample.ts';
import { Chart, type ChartSeries } from '../charts/chart.tsx';
import { TIME_AXIS_PX } from '../charts/time-grid.tsx';
import { colourOf, type ServerColours } from '../format/server-colours.ts';
import { useServices, useView } from '../services.ts';
import { serverHref } from '../store/route-store.ts';
import { type StackBlock, type StackPoint, TimeStack } from '../charts/time-stack.tsx';
import type { SpanWindow } from '../charts/use-span-window.ts';
import {
  type CompareChart,
  comparedInstants,
  comparedTextAt,
  describeChart,
  figureOf,
  isAlwaysShown,
  lastOf,
  nearestLine,
} from './comparison.ts';
import { TITLE_PX, yOf } from '../charts/plot-frame.ts';

interface CompareChartsProps {
  readonly charts: readonly CompareChart[];
  readonly absences: readonly Gap[];
  /** Milliseconds that the bucket of a row covers. */
  readonly stepMs: number;
  readonly colours: ServerColours;
  readonly span: SpanWindow;
  /** Ref for the element that an exported picture shows. */
  readonly ref: (element: HTMLDivElement | null) => void;
}

/** Width of the names and values at the ends of the lines, in px. */
const LABELS_PX = 176;
/** How far the labels overlap the right edge of the charts, in px. */
const LABELS_LEFT_PX = 12;
/** Maximum distance in px between the pointer and a line at which the line counts as pointed at. */
const NEAR_PX = 14;

/** Stacked charts of several servers that share one cursor. The values at the cursor are shown at the ends of the lines. */
export function CompareCharts({ charts, absences, stepMs, colours, span, ref: picture }: CompareChartsProps) {
  const { window } = span;
  const { ref, width: whole, height } = useElementSize();
  const { view } = useServices();
  const at = useView(({ cursorAt, pinnedAt }) => cursorAt ?? pinnedAt);
  const [pointed, setPointed] = useState<string>();
  const series = useMemo(() => charts.map((chart) => seriesOf(chart, colours)), [charts, colours]);
  const width = Math.max(0, whole - LABELS_PX);
  const heights = heightsOf(charts, height - TIME_AXIS_PX, charts[0]?.lines.length ?? 0);
  const serverAt = (point: StackPoint) => serverNear(point, charts[point.block], heights[point.block]!);
  const blocks = charts.map((chart, index): StackBlock => {
    const { figure, axis } = chart;
    const height = heights[index]!;
    return {
      ...{ key: figure.metric, title: figure.title, words: describeChart(chart), height, axis },
      chart: (
        <Chart
          {...{ axis, window, width, height, pointed, format: figure.short, bucketMs: stepMs }}
          kind={figure.shape === 'area' ? 'line' : figure.shape}
          series={series[index]!}
        />
      ),
      beside: (
        <EndLabels
          {...{ chart, colours, height, at, pointed, left: width - LABELS_LEFT_PX, onPoint: setPointed }}
        />
      ),
    };
  });
  const instants = useMemo(() => comparedInstants(charts), [charts]);
  return (
    <div
      ref={useMergedRef(ref, picture)}
      className="relative min-h-0 flex-1 overflow-x-hidden overflow-y-auto"
      data-charts="compare"
    >
      {width > 0 && (
        <TimeStack
          {...{ blocks, window, width, absences, control: span.control }}
          cursor={{
            name: 'Time cursor of the servers compared',
            stops: { instants, groups: [] },
            words: (instant) => comparedTextAt(charts, instant, window.to - window.from),
            onBlur: () => view.setState({ pinnedAt: undefined }),
          }}
          isOnServer={pointed !== undefined}
          onPoint={(point) => setPointed(point && serverAt(point))}
          onClick={(point) => {
            const server = point && serverAt(point);
            if (server !== undefined) globalThis.location.hash = serverHref(server);
          }}
        />
      )}
    </div>
  );
}

/** Server whose line is near a point of a chart; undefined if no line is near. */
function serverNear(
  { at, figure }: StackPoint,
  chart: CompareChart | undefined,
  height: number,
): string | undefined {
  if (at === undefined || chart === undefined) return undefined;
  const near = nearestLine(chart, at, figure);
  const nearFigure = (NEAR_PX / height) * chart.axis.top;
  return near !== undefined && near.distance <= nearFigure ? near.server : undefined;
}

/** Lines for the chart; the highlighted server's line shows its band. */
const seriesOf = ({ lines }: CompareChart, colours: ServerColours): readonly ChartSeries[] =>
  lines.map(({ server, rows }) => ({
    ...{ key: server, rows, isBanded: true, colour: colourOf(server, colours) },
    slot: colours.get(server) ?? undefined,
  }));

interface EndLabelsProps {
  readonly chart: CompareChart;
  readonly colours: ServerColours;
  readonly height: number;
  /** Left edge of the labels, in px. */
  readonly left: number;
  /** Time of the cursor; if undefined, the newest values are shown. */
  readonly at: number | undefined;
  readonly pointed: string | undefined;
  readonly onPoint: (server: string | undefined) => void;
}

/** Shows the name and value of each line next to its end: the value at the cursor, or else the newest. */
function EndLabels({ chart, colours, height, left, at, pointed, onPoint }: EndLabelsProps) {
  const { figure, axis, reachMs } = chart;
  const lines = chart.lines.filter(({ rows }) => rows.length > 0);
  const places = labelPlaces(
    lines.map(({ rows }) => TITLE_PX + yOf(lastOf(rows)?.average ?? 0, { axis, height })),
    TITLE_PX + height,
  );
  return (
    <ul className="absolute inset-y-0 right-0" style={{ left }} aria-label={`${figure.title} by server`}>
      {lines.map((line, index) => (
        <li
          key={line.server}
          className="absolute right-8 left-0"
          style={{ top: places[index]! - LABEL_PX / 2 }}
        >
          <a
            href={serverHref(line.server)}
            className={`flex items-center gap-6 h-24 px-4 rounded-sm text-12/16 hover:bg-hover hover:font-medium ${line.server === pointed ? 'bg-hover font-medium' : ''}`}
            onPointerEnter={() => onPoint(line.server)}
            onPointerLeave={() => onPoint(undefined)}
          >
            <span
              className="flex-none w-10 h-2 forced-color-adjust-none"
              style={{ background: colourOf(line.server, colours) }}
            />
            <span className="min-w-0 flex-1 truncate">{line.server}</span>
            <span className="flex-none text-dim">{figure.short(figureOf(line, at, reachMs))}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}

const LEAST_PX = 72;

/**
 * Returns the heights of the charts in px. Charts that are always shown get a larger share, because they are the most
 * important. A chart with its title is never lower than the labels of its lines need.
 */
export function heightsOf(
  charts: readonly Pick<CompareChart, 'figure'>[],
  roomPx: number,
  labels: number,
): readonly number[] {
  const leastPx = Math.max(LEAST_PX, labels * LABEL_PX - TITLE_PX);
  const free = roomPx - charts.length * TITLE_PX;
  const weights = charts.map(({ figure }) => (isAlwaysShown(figure.metric) ? 3 : 2));
  const low = shared(free, weights).map((px) => px < leastPx);
  const rest = shared(
    free - low.filter(Boolean).length * leastPx,
    weights.map((weight, place) => (low[place] === true ? 0 : weight)),
  );
  return rest.map((px) => Math.max(leastPx, px));
}

function shared(roomPx: number, weights: readonly number[]): readonly number[] {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => (sum === 0 ? 0 : Math.floor((roomPx * weight) / sum)));
}
/**
 * Height of a label in px, which is also the minimum distance between the centres of two labels. It is large enough for touch.
 */
export const LABEL_PX = 24;

/**
 * Returns the positions of labels beside their lines, as close to the wanted ones as the distance between labels allows. The
 * order stays the same. The labels stay within the height if all of them fit.
 * @param wanted positions of the lines' ends in px, in any order
 */
export function labelPlaces(wanted: readonly number[], height: number, apart = LABEL_PX): readonly number[] {
  const order = wanted.map((_, label) => label).toSorted((a, b) => wanted[a]! - wanted[b]! || a - b);
  const places = [...wanted];
  const half = apart / 2;
  let least = half;
  for (const label of order) {
    places[label] = Math.max(wanted[label]!, least);
    least = places[label] + apart;
  }
  let most = height - half;
  for (const label of order.toReversed()) {
    places[label] = Math.min(places[label]!, most);
    most = places[label] - apart;
  }
  return places;
}
