import type { Sample } from '../../shared/domain.ts';
import type { PickFigure } from './downsample.ts';

export interface SparkShape {
  /** Path of the line, a moveto after every gap. */
  readonly line: string;
  /** The same, closed down to the base line. */
  readonly area: string;
}

export interface SparkFrame {
  readonly width: number;
  readonly height: number;
  /** Top of the scale when the figures stay below it, so that noise is not drawn as a mountain. */
  readonly leastTop: number;
}

/** How much a sparkline shows, in how many steps. */
export const SPARK_SPAN_MS = 300_000;
export const SPARK_STEP_MS = 5000;
/** Room above the highest point for half the stroke. */
const TOP_INSET = 1;

/**
 * Path data for a small curve of the peaks per step. `endAt` is the right edge and lies on a step, so that the curve stays
 * the same until a step is complete; undefined when there is nothing to draw.
 */
export function sparkShape(
  samples: readonly Sample[],
  pick: PickFigure,
  endAt: number,
  frame: SparkFrame,
): SparkShape | undefined {
  const figures = peaksPerStep(samples, pick, endAt);
  const top = Math.max(frame.leastTop, ...figures.map((figure) => figure ?? 0));
  const stepPx = frame.width / (figures.length - 1);
  const place = (figure: number, index: number) => ({
    x: round(index * stepPx),
    y: round(frame.height - (figure / top) * (frame.height - TOP_INSET)),
  });
  const runs = splitRuns(figures).map((run) => run.map(([index, figure]) => place(figure, index)));
  if (runs.length === 0) return undefined;
  const lines = runs.map((run) => {
    // A single point has no length; a stub of one step keeps it visible.
    const [first] = run;
    const points =
      run.length === 1 && first !== undefined ? [{ ...first, x: round(first.x - stepPx) }, first] : run;
    return { points, path: `M${points.map(({ x, y }) => `${x} ${y}`).join('L')}` };
  });
  return {
    line: lines.map(({ path }) => path).join(''),
    area: lines.map(({ points, path }) => `${path}V${frame.height}H${points[0]?.x ?? 0}Z`).join(''),
  };
}

function peaksPerStep(samples: readonly Sample[], pick: PickFigure, endAt: number): (number | undefined)[] {
  const startAt = endAt - SPARK_SPAN_MS;
  const peaks = Array.from<number | undefined>({ length: SPARK_SPAN_MS / SPARK_STEP_MS });
  for (const sample of samples) {
    const figure = pick(sample);
    if (figure === undefined || sample.at < startAt || sample.at >= endAt) continue;
    const step = Math.floor((sample.at - startAt) / SPARK_STEP_MS);
    peaks[step] = Math.max(peaks[step] ?? 0, figure);
  }
  return bridgeSingleHoles(peaks);
}

/** A sampler at 5 s beats against steps of 5 s: one empty step between two full ones is no gap. */
function bridgeSingleHoles(peaks: readonly (number | undefined)[]): (number | undefined)[] {
  return peaks.map((peak, step) => {
    const before = peaks[step - 1];
    const after = peaks[step + 1];
    return peak ?? (before === undefined || after === undefined ? undefined : (before + after) / 2);
  });
}

function splitRuns(figures: readonly (number | undefined)[]): (readonly [number, number])[][] {
  const runs: (readonly [number, number])[][] = [];
  figures.forEach((figure, index) => {
    if (figure === undefined) return;
    if (index === 0 || figures[index - 1] === undefined) runs.push([]);
    runs.at(-1)?.push([index, figure]);
  });
  return runs;
}

const round = (value: number): number => Math.round(value * 10) / 10;
