import { seriesOfSamples } from '../../shared/buckets.ts';
import type { Sample } from '../../shared/domain.ts';
import type { HistoryMetric } from '../../shared/history.ts';
import { curvePaths } from './curve-path.ts';
import { peakOf, type ChartRow, type TimeWindow } from './downsample.ts';
import { processEndsOf } from './run-ends.ts';
import { gapAt } from './series.ts';

interface SparkShape {
  /** SVG path of the curve's line, with a moveto after every gap. */
  readonly line: string;
  /** SVG path of the area between the curve's line and the base line. */
  readonly area: string;
}

interface SparkFrame {
  readonly width: number;
  readonly height: number;
  /** Minimum top of the scale, so that small fluctuations are drawn small. */
  readonly leastTop: number;
  /** Time span shown, in ms, a multiple of the step. Default: `SPARK_SPAN_MS`. */
  readonly spanMs?: number;
}

/** Longest time span of a sparkline (miniature curve), and the length of one step, in ms. A curve has one point per step. */
export const SPARK_SPAN_MS = 300_000;
export const SPARK_STEP_MS = 5000;
/**
 * Possible time spans in ms, shortest first. The shorter ones exist because shortly after the start, a curve over five minutes
 * would be only a speck at its edge.
 */
const spansMs: readonly number[] = [60_000, 120_000, SPARK_SPAN_MS];
/** Space in px above the highest point, for half of the stroke width. */
const TOP_INSET = 1;
/** Minimum number of points of a curve, because fewer points, one pixel apart, would look like a speck. */
const LEAST_POINTS = 4;

/** Returns the shortest possible time span that reaches back to `oldestAt`. */
export const sparkSpanMs = (oldestAt: number, endAt: number): number =>
  spansMs.find((spanMs) => endAt - oldestAt <= spanMs) ?? SPARK_SPAN_MS;

/**
 * Delay in whole seconds, below one step, after which a server's curve advances. It depends on the server's name, because
 * redrawing a hundred curves at the same time would delay typing.
 */
export function sparkDelayMs(server: string): number {
  const sum = [...server].reduce((total, character) => (total * 31 + character.codePointAt(0)!) % 9973, 7);
  return (sum % (SPARK_STEP_MS / 1000)) * 1000;
}

/**
 * Returns the paths of a sparkline that shows the peak of each step; undefined if there are too few points. `endAt` is the
 * right edge and falls on a step boundary, so that the curve stays the same until a step is complete.
 */
export function sparkShape(
  samples: readonly Sample[],
  metric: HistoryMetric,
  endAt: number,
  frame: SparkFrame,
): SparkShape | undefined {
  const { spanMs = SPARK_SPAN_MS } = frame;
  const runs = runsOf(samples, metric, { from: endAt - spanMs, to: endAt });
  if (runs.reduce((sum, run) => sum + stepsOf(run), 0) < LEAST_POINTS) return undefined;
  const top = Math.max(frame.leastTop, peakOf(runs.flat()) ?? 0);
  const stepPx = frame.width / (spanMs / SPARK_STEP_MS - 1);
  const scale = {
    xOf: (step: number) => step * stepPx,
    yOf: (figure: number) => frame.height - (figure / top) * (frame.height - TOP_INSET),
    baseY: frame.height,
  };
  const drawn = (some: readonly Run[], shape: 'line' | 'area') =>
    curvePaths({ rows: some.flatMap(withGap), isBanded: false }, shape, scale)[shape];
  return {
    line: drawn(runs, 'line'),
    area: drawn(
      runs.filter((run) => stepsOf(run) >= LEAST_POINTS),
      'area',
    ),
  };
}

/** Unbroken part of a curve: the peaks of its steps, each with the number of its step as `at`. */
type Run = readonly ChartRow[];

const lastStep = (run: Run | undefined): number => run?.at(-1)?.at ?? -Infinity;
const stepsOf = (run: Run): number => lastStep(run) - (run[0]?.at ?? 0) + 1;

/** Returns the peaks of the steps that have samples, oldest first, as unbroken runs. */
function runsOf(samples: readonly Sample[], metric: HistoryMetric, { from, to }: TimeWindow): readonly Run[] {
  const { index, max } = seriesOfSamples('', metric, samples, { from, to, stepMs: SPARK_STEP_MS });
  // A step in which one process ends and the next one starts shows the higher peak; the curve is interrupted after that step.
  const cuts = processEndsOf(samples).map((at) => Math.floor((at - from) / SPARK_STEP_MS));
  const runs: ChartRow[][] = [];
  index.forEach((step, place) => {
    const before = lastStep(runs.at(-1));
    // One empty step does not count as a gap, because samples taken every 5 s do not fall into every 5-second step.
    const isApart = step - before > 2 || cuts.some((cut) => cut >= before && cut < step);
    const peak = max[place]!;
    const row = { at: step, average: peak, least: peak, most: peak };
    if (isApart) runs.push([row]);
    else runs.at(-1)!.push(row);
  });
  return runs;
}

/** Returns a run followed by a gap. A single point would have no length, so it is extended backwards by one step. */
function withGap(run: Run): readonly ChartRow[] {
  const alone = run.length === 1 ? run.map((row) => ({ ...row, at: row.at - 1 })) : [];
  return [...alone, ...run, gapAt(lastStep(run) + 0.5)];
}
