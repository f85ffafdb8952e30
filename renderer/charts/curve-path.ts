import type { ChartRow, ChartRows } from './downsample.ts';

/** Places of instants and figures, in pixels from the upper left corner. */
export interface CurveScale {
  readonly xOf: (at: number) => number;
  readonly yOf: (value: number) => number;
  /** Place of zero, down to which areas reach. */
  readonly baseY: number;
}

/** Path data of one curve; an empty path where the shape has no such part. */
export interface CurvePaths {
  readonly line: string;
  /** The same path, closed down to zero. */
  readonly area: string;
  /** Band between the least and the most of each row. */
  readonly band: string;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/**
 * Shape of a curve. Counts are drawn in steps: there is no two and a half processes. What is added up over a time is a block as
 * wide as that. Of a stack each band is the area between the least and the most of its rows.
 */
export type CurveShape = 'area' | 'line' | 'steps' | 'blocks' | 'stack';

/** Path data of a curve. A null row is a gap; lonely rows must have been doubled before. */
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

/** Count as its readout gives it, rounded because the mean of several samples need not be whole. */
const wholeOf = ({ average }: Full): number => Math.round(average);

/** Rows between gaps. */
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

/** Steps that hold each value until the next point. */
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

/** Path of a cross around a point, which is not told by its colour alone. */
export const crossAt = (x: number, y: number): string =>
  `M${x - MARK_PX} ${y - MARK_PX}l${2 * MARK_PX} ${2 * MARK_PX}m0 ${-2 * MARK_PX}l${-2 * MARK_PX} ${2 * MARK_PX}`;

/** A tenth of a pixel, because more is not seen and makes paths longer. */
const round = (value: number): number => Math.round(value * 10) / 10;
