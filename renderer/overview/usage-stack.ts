import { curvePaths } from '../charts/curve-path.ts';
import type { ChartRow } from '../charts/downsample.ts';

/** Band of a stacked area: one server, or all other servers together. */
interface UsageBand {
  /** Name of the server; undefined for the band of all other servers. */
  readonly server: string | undefined;
  /** One value per step of the time axis, oldest first. A step without a measurement is 0, because all bands are added up. */
  readonly figures: readonly number[];
}

export interface UsageStack {
  /** Bands, largest first, except that the band of all other servers is last. */
  readonly bands: readonly UsageBand[];
  /** Servers that are combined in the last band, largest first. */
  readonly others: readonly UsageBand[];
  /** Whether any server had a value, by step. A step without any value is a gap, not a zero. */
  readonly isKnown: readonly boolean[];
}

/** Values of one server by step; undefined in steps without a value. */
export interface UsageSeries {
  readonly server: string;
  readonly figures: readonly (number | undefined)[];
}

/** Maximum number of servers that have their own band in a tile. */
const MOST_BANDS = 5;

/**
 * Stacks the values of all servers, the largest server first. The order is by the sum over the whole time span, so that a short
 * burst does not change it.
 * @param mostBands number of servers with their own band; if only one more server remains, it also gets its own band
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
  // A single remaining server is named, because "others" would take the same space and say less.
  const most = all.length === mostBands + 1 ? all.length : mostBands;
  const each = all.map(({ server, figures }): UsageBand => ({ server, figures }));
  const [bands, others] = [each.slice(0, most), each.slice(most)];
  if (others.length > 0) bands.push({ server: undefined, figures: sumOf(others, steps) });
  const isKnown = Array.from({ length: steps }, (_, step) =>
    series.some(({ figures }) => figures[step] !== undefined),
  );
  return { bands, others, isKnown };
}

/** Splits the band of all other servers into one band per server, from the bottom up. */
export const expandOthers = (stack: UsageStack): UsageStack => ({
  ...stack,
  bands: [...stack.bands.filter(({ server }) => server !== undefined), ...stack.others],
});

const sumOf = (bands: readonly { readonly figures: readonly number[] }[], steps: number): number[] =>
  Array.from({ length: steps }, (_, step) =>
    bands.reduce((total, { figures }) => total + (figures[step] ?? 0), 0),
  );

interface StackFrame {
  readonly width: number;
  readonly height: number;
  /** Minimum value at the top of the scale, so that small fluctuations look small. */
  readonly leastTop: number;
  /** True to draw a value as a block over its whole step, as for counts; false to connect the values by lines. */
  readonly isStepped: boolean;
}

/** Fraction of the height that stays empty above the highest point. */
const HEADROOM = 0.08;

/** SVG path of each band over the whole frame, in the order of the stack, cut at every gap. */
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
 * Returns the rows from which each band is drawn, in the order of the stack. A row extends from the top of the bands below to
 * the top of this band. Each gap has a row of nulls.
 * @param atOf returns the instant of a step's beginning; an argument such as 2.5 is the middle of a step
 * @param isStepped whether a value is drawn across its whole step, as for counts, without a line to the next value
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

/** Index of the band that contains a value in a step; undefined above all bands and in a gap. */
export function bandAt(stack: UsageStack, step: number, figure: number): number | undefined {
  if (figure < 0 || stack.isKnown[step] !== true) return undefined;
  let top = 0;
  const band = stack.bands.findIndex(({ figures }) => figure < (top += figures[step] ?? 0));
  return band === -1 ? undefined : band;
}

/** Lower edge of the first band, then the upper edge of each band. */
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
  /** First step after the run of consecutive known steps. */
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

/**
 * Returns the positions of the points that draw a run of consecutive known steps, each with the step whose value it has. The
 * first and last points are at the ends of the run.
 */
function placesOf({ from, to }: Run, isStepped: boolean): readonly [place: number, step: number][] {
  const steps = Array.from({ length: to - from }, (_, index) => from + index);
  if (isStepped)
    return steps.flatMap((step) => [
      [step, step],
      [step + 1, step],
    ]);
  return [[from, from], ...steps.map((step): [number, number] => [step + 0.5, step]), [to, to - 1]];
}
