import { curvePaths } from '../charts/curve-path.ts';
import type { ChartRow } from '../charts/downsample.ts';

/** Band of a stacked area: one server, or all the others together. */
export interface UsageBand {
  /** Name of the server; undefined for the others. */
  readonly server: string | undefined;
  /** Figures by step, oldest first; 0 where the server had none, because the band is only part of a sum. */
  readonly figures: readonly number[];
}

export interface UsageStack {
  /** Bands, the largest first and the others last. */
  readonly bands: readonly UsageBand[];
  /** Servers that make up the band of the others, the largest first. */
  readonly others: readonly UsageBand[];
  /** Whether any server had a figure, by step. A step without any is a gap, not a zero. */
  readonly isKnown: readonly boolean[];
}

/** Figures of one server by step; undefined where there was none. */
export interface UsageSeries {
  readonly server: string;
  readonly figures: readonly (number | undefined)[];
}

/** Most servers with a band of their own in a tile. */
const MOST_BANDS = 5;

/**
 * Stack of the largest servers over the whole time, so that a short burst reorders nothing.
 * @param mostBands number of servers with a band of their own; one more gets its band where it would be the only other
 */
export function stackUsage(
  series: readonly UsageSeries[],
  steps: number,
  mostBands = MOST_BANDS,
): UsageStack {
  const all = series
    .map(({ server, figures }) => ({ server, figures: figures.map((figure) => figure ?? 0) }))
    .map((band) => ({ ...band, sum: band.figures.reduce((total, figure) => total + figure, 0) }))
    .filter(({ sum }) => sum > 0)
    .toSorted((a, b) => b.sum - a.sum || (a.server < b.server ? -1 : 1));
  // A single other server gets its name, because "others" would take the same room and say less.
  const most = all.length === mostBands + 1 ? all.length : mostBands;
  const each = all.map(({ server, figures }): UsageBand => ({ server, figures }));
  const [bands, others] = [each.slice(0, most), each.slice(most)];
  if (others.length > 0) bands.push({ server: undefined, figures: sumOf(others, steps) });
  const isKnown = Array.from({ length: steps }, (_, step) =>
    series.some(({ figures }) => figures[step] !== undefined),
  );
  return { bands, others, isKnown };
}

/** The same stack with each of the others on its own, from the bottom up. */
export const expandOthers = (stack: UsageStack): UsageStack => ({
  ...stack,
  bands: [...stack.bands.filter(({ server }) => server !== undefined), ...stack.others],
});

const sumOf = (bands: readonly { readonly figures: readonly number[] }[], steps: number): number[] =>
  Array.from({ length: steps }, (_, step) =>
    bands.reduce((total, { figures }) => total + (figures[step] ?? 0), 0),
  );

export interface StackFrame {
  readonly width: number;
  readonly height: number;
  /** Least top of the scale, so that noise is not drawn as a mountain. */
  readonly leastTop: number;
  /** Whether a figure holds for its whole step, as counts do, and no line leads to the next. */
  readonly isStepped: boolean;
}

/** Part of the height that stays free above the highest point. */
const HEADROOM = 0.08;

/** Path of each band over the whole frame, in the order of the stack, cut at every gap. */
export function stackPaths(stack: UsageStack, frame: StackFrame): readonly string[] {
  const top = Math.max(frame.leastTop, ...edgesOf(stack).at(-1)!) * (1 + HEADROOM);
  const stepPx = frame.width / stack.isKnown.length;
  const scale = {
    xOf: (step: number) => step * stepPx,
    yOf: (figure: number) => frame.height * (1 - figure / top),
    baseY: frame.height,
  };
  return stackRows(stack, (step) => step, frame.isStepped).map(
    (rows) => curvePaths({ rows, isBanded: true }, 'stack', scale).band,
  );
}

/**
 * Rows of each band, in the order of the stack: from the top of those before it to its own, with a gap where none was known.
 * @param atOf instant at which a step begins; halves lie between two
 * @param isStepped whether a figure holds for its whole step, as counts do, and no line leads to the next
 */
export function stackRows(
  stack: UsageStack,
  atOf: (step: number) => number,
  isStepped = false,
): readonly (readonly ChartRow[])[] {
  const edges = edgesOf(stack);
  const runs = runsOf(stack.isKnown);
  return stack.bands.map((_, band) =>
    runs.flatMap((run) => [
      ...placesOf(run, isStepped).map(([place, step]) => {
        const [least = 0, most = 0] = [edges[band]?.[step], edges[band + 1]?.[step]];
        return { at: atOf(place), average: most, least, most };
      }),
      { at: atOf(run.to), average: null, least: null, most: null },
    ]),
  );
}

/** Band at a height of a step; undefined above all of them and in a gap. */
export function bandAt(stack: UsageStack, step: number, figure: number): number | undefined {
  if (figure < 0 || stack.isKnown[step] !== true) return undefined;
  let top = 0;
  const band = stack.bands.findIndex(({ figures }) => figure < (top += figures[step] ?? 0));
  return band === -1 ? undefined : band;
}

/** Lower edge of the first band, then the upper edge of each. */
function edgesOf({ bands, isKnown }: UsageStack): readonly (readonly number[])[] {
  const edges: number[][] = [isKnown.map(() => 0)];
  for (const { figures } of bands) {
    const below = edges.at(-1)!;
    edges.push(below.map((floor, step) => floor + (figures[step] ?? 0)));
  }
  return edges;
}

interface Run {
  readonly from: number;
  /** Step behind the last. */
  readonly to: number;
}

function runsOf(isKnown: readonly boolean[]): readonly Run[] {
  const runs: Run[] = [];
  isKnown.forEach((known, step) => {
    const last = runs.at(-1);
    if (!known) return;
    if (last?.to === step) runs[runs.length - 1] = { from: last.from, to: step + 1 };
    else runs.push({ from: step, to: step + 1 });
  });
  return runs;
}

/** Places of a run that are drawn, each with its step. They reach both ends of the run. */
function placesOf({ from, to }: Run, isStepped: boolean): readonly [place: number, step: number][] {
  const steps = Array.from({ length: to - from }, (_, index) => from + index);
  if (isStepped)
    return steps.flatMap((step) => [
      [step, step],
      [step + 1, step],
    ]);
  return [[from, from], ...steps.map((step): [number, number] => [step + 0.5, step]), [to, to - 1]];
}
