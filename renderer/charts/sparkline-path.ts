import { seriesOfSamples } from '../../shared/buckets.ts';
import type { Sample } from '../../shared/domain.ts';
import type { HistoryMetric } from '../../shared/history.ts';
import { curvePaths } from './curve-path.ts';
import type { ChartRow, TimeWindow } from './downsample.ts';
import { processEndsOf } from './run-ends.ts';

export interface SparkShape {
  /** SVG path of the curve's line, with a moveto after every gap. */
  readonly line: string;
  /** SVG path of the area between the curve's line and the base line. */
  readonly area: string;
}

export interface SparkFrame {
  readonly width: number;
  readonly height: number;
  /** Minimum top of the scale, so that small fluctuations are drawn small. */
  readonly leastTop: number;
  /** Time span shown in ms, in whole steps. Default: the longest. */
  readonly spanMs?: number;
}

/** Longest span of a sparkline, and the length of one step, in ms. */
export const SPARK_SPAN_MS = 300_000;
export const SPARK_STEP_MS = 5000;
/**
 * Possible time spans in ms, shortest first, because shortly after the start a span of five minutes would show only a speck at
 * its edge.
 */
const spansMs: readonly number[] = [60_000, 120_000, SPARK_SPAN_MS];
/** Room in px above the highest point, for half of the stroke. */
const TOP_INSET = 1;
/** Minimum number of points of a curve, because fewer points, a pixel apart, would be only a speck. */
const LEAST_POINTS = 4;

/** Shortest possible span that reaches back to `oldestAt`. */
export const sparkSpanMs = (oldestAt: number, endAt: number): number =>
  spansMs.find((spanMs) => endAt - oldestAt <= spanMs) ?? SPARK_SPAN_MS;

/**
 * Delay in whole seconds, below one step, after which a server's curve advances. It depends on the name, because a hundred
 * curves redrawn at once would delay typing.
 */
export function sparkDelayMs(server: string): number {
  const sum = [...server].reduce((total, character) => (total * 31 + character.codePointAt(0)!) % 9973, 7);
  return (sum % (SPARK_STEP_MS / 1000)) * 1000;
}

/**
 * Returns the paths of a sparkline of the peak in each step; undefined if there are too few points. `endAt` is the right edge
 * and lies on a step, so that the curve stays the same until a step is complete.
 */
export function sparkShape(
  samples: readonly Sample[],
  metric: HistoryMetric,
  endAt: number,
  frame: SparkFrame,
): SparkShape | undefined {
  const { spanMs = SPARK_SPAN_MS } = frame;
  const runs = runsOf(peaksPerStep(samples, metric, { from: endAt - spanMs, to: endAt }));
  if (runs.reduce((sum, { length }) => sum + length, 0) < LEAST_POINTS) return undefined;
  const top = Math.max(frame.leastTop, ...runs.flat().map(({ figure }) => figure));
  const stepPx = frame.width / (spanMs / SPARK_STEP_MS - 1);
  const scale = {
    xOf: (index: number) => index * stepPx,
    yOf: (figure: number) => frame.height - (figure / top) * (frame.height - TOP_INSET),
    baseY: frame.height,
  };
  const drawn = (some: typeof runs, shape: 'line' | 'area') =>
    curvePaths({ rows: some.flatMap(rowsOf), isBanded: false }, shape, scale)[shape];
  return {
    line: drawn(runs, 'line'),
    area: drawn(
      runs.filter(({ length }) => length >= LEAST_POINTS),
      'area',
    ),
  };
}

/** Rows of one run of peaks, and the gap after it. A single point has no length, so it is drawn as long as one step. */
function rowsOf(run: readonly { readonly index: number; readonly figure: number }[]): readonly ChartRow[] {
  const [first] = run;
  const points =
    run.length === 1 && first !== undefined ? [{ ...first, index: first.index - 1 }, first] : run;
  const rows = points.map(({ index, figure }) => ({
    at: index,
    average: figure,
    least: figure,
    most: figure,
  }));
  return [...rows, { at: (points.at(-1)?.index ?? 0) + 0.5, average: null, least: null, most: null }];
}

interface StepPeak {
  readonly index: number;
  readonly figure: number;
  /** Whether the step's samples are of a newer process than those of the step before. */
  readonly isNewProcess: boolean;
}

/** Peaks of the steps that have samples, oldest first. */
function peaksPerStep(
  samples: readonly Sample[],
  metric: HistoryMetric,
  { from, to }: TimeWindow,
): readonly StepPeak[] {
  const { index: indexes, max } = seriesOfSamples('', metric, samples, { from, to, stepMs: SPARK_STEP_MS });
  // A step in which one process follows another shows the greater peak; the curve is cut after that step.
  const cuts = processEndsOf(samples).map((at) => Math.floor((at - from) / SPARK_STEP_MS));
  return indexes.map((index, position) => {
    const before = indexes[position - 1] ?? -1;
    return { index, figure: max[position]!, isNewProcess: cuts.some((cut) => cut >= before && cut < index) };
  });
}

/**
 * Splits peaks into runs that are drawn without a break. One empty step between two steps with samples is filled, because
 * samples every 5 s do not hit every step of 5 s.
 */
function runsOf(peaks: readonly StepPeak[]): readonly (readonly { index: number; figure: number }[])[] {
  const runs: { index: number; figure: number }[][] = [];
  for (const { index, figure, isNewProcess } of peaks) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    if (run === undefined || last === undefined || isNewProcess || index - last.index > 2) {
      runs.push([{ index, figure }]);
      continue;
    }
    if (index - last.index === 2) run.push({ index: index - 1, figure: (last.figure + figure) / 2 });
    run.push({ index, figure });
  }
  return runs;
}
