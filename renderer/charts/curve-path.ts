import type { ChartRow, ChartRows } from './downsample.ts';

/** Functions that convert instants and values to px, measured from the upper left corner of the chart. */
export interface CurveScale {
  readonly xOf: (at: number) => number;
  readonly yOf: (value: number) => number;
  /** Vertical position in px of the value zero, which is the lower edge of areas. */
  readonly baseY: number;
}

/** SVG path data of one curve; a path is empty if the shape does not have that part. */
interface CurvePaths {
  readonly line: string;
  /** Area between the curve's line and zero. */
  readonly area: string;
  /** Band between the minimum and maximum of each row. */
  readonly band: string;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/**
 * Shape in which a curve is drawn. `steps` is for counts, because they are whole numbers. `blocks` is for sums over a bucket; a
 * block is as wide as the bucket. In a `stack`, each band is the area between the minimum and the maximum of its rows.
 */
export type CurveShape = 'area' | 'line' | 'steps' | 'blocks' | 'stack';

/**
 * Returns the path data of a curve. A row with null values is a gap. A row without neighbours has no visible line, so callers
 * double such rows with `withStubs` first.
 */
export function curvePaths({ rows, isBanded }: ChartRows, shape: CurveShape, scale: CurveScale): CurvePaths {
  const runs = runsOf(rows);
  if (shape === 'stack') return { line: '', area: '', band: bandsOf(runs, scale) };
  const valueOf = shape === 'steps' ? wholeOf : (row: Full) => row.average;
  const lines = runs.map((run) => {
    const points = run.map((row) => pointOf(scale, row.at, valueOf(row)));
    return { points, path: shape === 'steps' || shape === 'blocks' ? stepPath(points) : linePath(points) };
  });
  const hasArea = shape === 'area' || shape === 'blocks';
  return {
    line: lines.map(({ path }) => `M${path}`).join(''),
    area: hasArea ? lines.map(({ points, path }) => closeDown(points, path, scale.baseY)).join('') : '',
    band: isBanded && shape !== 'steps' ? bandsOf(runs, scale) : '',
  };
}

type Full = { readonly [Key in keyof ChartRow]: number };

const isFull = (row: ChartRow): row is Full => row.average !== null;

/** Returns a count as the readout shows it. It is rounded because the mean of several samples may not be a whole number. */
const wholeOf = ({ average }: Full): number => Math.round(average);

/** Splits the rows of a curve at its gaps, into runs of consecutive rows with values. */
function runsOf(rows: readonly ChartRow[]): readonly (readonly Full[])[] {
  const runs: Full[][] = [[]];
  for (const row of rows) {
    if (isFull(row)) runs.at(-1)?.push(row);
    else runs.push([]);
  }
  return runs.filter((run) => run.length > 0);
}

const pointOf = (scale: CurveScale, at: number, value: number): Point => ({
  x: round(scale.xOf(at)),
  y: round(scale.yOf(value)),
});

const linePath = (points: readonly Point[]): string => points.map(({ x, y }) => `${x} ${y}`).join('L');

/** Returns a path in steps, each of which keeps its value until the next point. */
const stepPath = (points: readonly Point[]): string =>
  points.map(({ x, y }, index) => (index === 0 ? `${x} ${y}` : `H${x}V${y}`)).join('');

const closeDown = (points: readonly Point[], path: string, baseY: number): string =>
  `M${path}V${round(baseY)}H${points[0]?.x ?? 0}Z`;

const bandsOf = (runs: readonly (readonly Full[])[], scale: CurveScale): string =>
  runs.map((run) => bandPath(run, scale)).join('');

function bandPath(run: readonly Full[], scale: CurveScale): string {
  const upper = run.map(({ at, most }) => pointOf(scale, at, most));
  const lower = run.map(({ at, least }) => pointOf(scale, at, least)).toReversed();
  return `M${linePath([...upper, ...lower])}Z`;
}

const MARK_PX = 3.5;

/** Returns the path of a cross around a point, a mark that can be recognized without its colour. */
export const crossAt = (x: number, y: number): string =>
  `M${x - MARK_PX} ${y - MARK_PX}l${2 * MARK_PX} ${2 * MARK_PX}m0 ${-2 * MARK_PX}l${-2 * MARK_PX} ${2 * MARK_PX}`;

/** Rounds to a tenth of a px, because finer steps are invisible and make paths longer. */
const round = (value: number): number => Math.round(value * 10) / 10;
