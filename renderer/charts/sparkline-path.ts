import type { Sample } from '../../shared/domain.ts';
import type { PickFigure, TimeWindow } from './downsample.ts';
import { processEndsOf } from './run-ends.ts';

export interface SparkShape {
  /** Path of the line, a moveto after every gap. */
  readonly line: string;
  /** The same path, closed down to the base line. */
  readonly area: string;
}

export interface SparkFrame {
  readonly width: number;
  readonly height: number;
  /** Least top of the scale, so that noise is not drawn as a mountain. */
  readonly leastTop: number;
  /** Time shown, in whole steps. Default: the longest. */
  readonly spanMs?: number;
}

/** Longest span of a sparkline, and its steps. */
export const SPARK_SPAN_MS = 300_000;
export const SPARK_STEP_MS = 5000;
/** Spans, the shortest first: after the start a curve of five minutes would be a speck at the edge. */
const spansMs: readonly number[] = [60_000, 120_000, SPARK_SPAN_MS];
/** Room above the highest point for half the stroke. */
const TOP_INSET = 1;
/** Least number of points of a curve, because fewer, a pixel apart, are a speck that says nothing. */
const LEAST_POINTS = 4;

/** Shortest span that holds all there is since `oldestAt`. */
export const sparkSpanMs = (oldestAt: number, endAt: number): number =>
  spansMs.find((spanMs) => endAt - oldestAt <= spanMs) ?? SPARK_SPAN_MS;

/**
 * Delay after which the curve of a server moves on, below a step: whole seconds, spread by its name, because a
 * hundred curves at once would be felt while somebody types.
 */
export function sparkDelayMs(server: string): number {
  const sum = [...server].reduce((total, character) => (total * 31 + character.codePointAt(0)!) % 9973, 7);
  return (sum % (SPARK_STEP_MS / 1000)) * 1000;
}

/**
 * Path data for a small curve of the peaks per step; undefined while there is too little to draw. `endAt` is
 * the right edge and lies on a step, so that the curve stays the same until a step is complete.
 */
export function sparkShape(
  samples: readonly Sample[],
  pick: PickFigure,
  endAt: number,
  frame: SparkFrame,
): SparkShape | undefined {
  const { spanMs = SPARK_SPAN_MS } = frame;
  const runs = runsOf(peaksPerStep(samples, pick, { from: endAt - spanMs, to: endAt }));
  if (runs.reduce((sum, { length }) => sum + length, 0) < LEAST_POINTS) return undefined;
  const top = Math.max(frame.leastTop, ...runs.flat().map(({ figure }) => figure));
  const stepPx = frame.width / (spanMs / SPARK_STEP_MS - 1);
  const lines = runs.map((run) => {
    const points = run.map(({ index, figure }) => ({
      x: round(index * stepPx),
      y: round(frame.height - (figure / top) * (frame.height - TOP_INSET)),
    }));
    // A single point has no length, so a stub of one step keeps it visible.
    const [first] = points;
    if (points.length === 1 && first !== undefined) points.unshift({ ...first, x: round(first.x - stepPx) });
    return { points, path: `M${points.map(({ x, y }) => `${x} ${y}`).join('L')}` };
  });
  return {
    line: lines.map(({ path }) => path).join(''),
    area: lines
      .filter(({ points }) => points.length >= LEAST_POINTS)
      .map(({ points, path }) => `${path}V${frame.height}H${points[0]?.x ?? 0}Z`)
      .join(''),
  };
}

interface StepPeak {
  readonly index: number;
  readonly figure: number;
  /** Whether its samples are of a newer process than those of the step before. */
  readonly isNewProcess: boolean;
}

/** Peaks of the steps that have any, oldest first. */
function peaksPerStep(
  samples: readonly Sample[],
  pick: PickFigure,
  { from, to }: TimeWindow,
): readonly StepPeak[] {
  const stepOf = (at: number) => Math.floor((at - from) / SPARK_STEP_MS);
  const peaks = new Map<number, number>();
  for (const sample of samples) {
    const figure = pick(sample);
    if (figure === undefined || sample.at < from || sample.at >= to) continue;
    const step = stepOf(sample.at);
    peaks.set(step, Math.max(peaks.get(step) ?? 0, figure));
  }
  // The step in which one process follows another shows the greater of the two: the curve is cut behind it.
  const cuts = processEndsOf(samples).map(stepOf);
  const steps = [...peaks].map(([index, figure]) => ({ index, figure }));
  return steps.map(({ index, figure }, position) => {
    const before = steps[position - 1]?.index ?? -1;
    return { index, figure, isNewProcess: cuts.some((cut) => cut >= before && cut < index) };
  });
}

/**
 * Peaks that are drawn without a break. One empty step between two full ones is bridged because a sampler at
 * 5 s beats against steps of 5 s.
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

const round = (value: number): number => Math.round(value * 10) / 10;
