import type { Sample } from '../../shared/domain.ts';

/** One point of a curve. All three figures are null where the data has a gap. */
export interface ChartRow {
  readonly at: number;
  readonly average: number | null;
  readonly least: number | null;
  readonly most: number | null;
}

export interface ChartRows {
  readonly rows: readonly ChartRow[];
  /** Whether a row stands for several samples, so that the band between least and most says something. */
  readonly isBanded: boolean;
}

export interface TimeWindow {
  readonly from: number;
  readonly to: number;
}

export type PickFigure = (sample: Sample) => number | undefined;

/** Rules that tell a gap in the data from a slow pace. */
export interface GapRules {
  /** Times without samples: a curve never crosses one. */
  readonly absences: readonly TimeWindow[];
  /**
   * Instants at which the measured thing ended, in any order: no curve and no row crosses one. A sample at
   * such an instant belongs before it.
   */
  readonly ends: readonly number[];
  /** Whether the figure is measured only now and then: then only an absence is a gap. */
  readonly isSparse: boolean;
}

const steadyPace: GapRules = { absences: [], ends: [], isSparse: false };

/** Intervals of silence that make a gap; fewer may be one late sample. */
const GAP_INTERVALS = 3;
/**
 * Slowest interval of the sampler, for the newest sample, because nothing after it tells yet whether the
 * sampler has slowed from 1 s to 5 s, as it does for a hidden window.
 */
const SLOWEST_INTERVAL_MS = 5000;

/**
 * Rows for one curve from samples (oldest first) within the window: one row per bucket of `bucketMs`, a null row per gap.
 * Buckets lie on absolute time, so a row never changes its value only because the window moved on.
 */
export function toChartRows(
  samples: readonly Sample[],
  pick: PickFigure,
  window: TimeWindow,
  bucketMs: number,
  rules: GapRules = steadyPace,
): ChartRows {
  const isBroken = breaksBy(rules);
  const points = pickPoints(samples, pick, window);
  const rows: ChartRow[] = [];
  let bucket: Bucket | undefined;
  let isBanded = false;

  const close = () => {
    if (bucket === undefined) return;
    isBanded ||= bucket.count > 1;
    rows.push(toRow(bucket));
    bucket = undefined;
  };

  points.forEach(({ at, figure }, position) => {
    const before = points[position - 1];
    if (before !== undefined && (isBroken(before.at, at) || (!rules.isSparse && isGap(points, position)))) {
      close();
      rows.push({ at: (before.at + at) / 2, average: null, least: null, most: null });
    }
    const index = Math.floor(at / bucketMs);
    if (bucket?.index !== index) close();
    bucket = addTo(bucket, index, at, figure);
  });
  close();
  return { rows, isBanded };
}

/** Whether a curve must break between an instant and a later one. Ask in the order of time. */
function breaksBy({ absences, ends }: GapRules): (from: number, to: number) => boolean {
  const sorted = ends.toSorted((a, b) => a - b);
  let next = 0;
  return (from, to) => {
    while ((sorted[next] ?? Infinity) < from) next += 1;
    return (
      (sorted[next] ?? Infinity) < to || absences.some((absence) => absence.from < to && absence.to > from)
    );
  };
}

interface Point {
  readonly at: number;
  readonly figure: number;
}

function pickPoints(
  samples: readonly Sample[],
  pick: PickFigure,
  { from, to }: TimeWindow,
): readonly Point[] {
  return samples.flatMap((sample) => {
    const figure = pick(sample);
    return figure === undefined || sample.at < from || sample.at > to ? [] : [{ at: sample.at, figure }];
  });
}

/** Whether the silence before a point is longer than the pace on both sides of it explains. */
function isGap(points: readonly Point[], position: number): boolean {
  const interval = (end: number): number | undefined => {
    const [first, second] = [points[end - 1], points[end]];
    return first === undefined || second === undefined ? undefined : second.at - first.at;
  };
  const paceBefore = interval(position - 1) ?? SLOWEST_INTERVAL_MS;
  const paceAfter = interval(position + 1) ?? SLOWEST_INTERVAL_MS;
  return (interval(position) ?? 0) > GAP_INTERVALS * Math.max(paceBefore, paceAfter);
}

/**
 * The same rows, with those doubled that have a gap or an edge on both sides, because a line from a point to
 * itself is invisible. The two lie a bucket apart, less where a gap or the end of the window is near, so that
 * time never runs backwards and nothing is drawn beside the plot.
 */
export function withStubs(
  rows: readonly ChartRow[],
  bucketMs: number,
  { from: first, to: last }: TimeWindow,
): readonly ChartRow[] {
  const within = (at: number) => Math.min(Math.max(at, first), last);
  return rows.flatMap((row, position) => {
    const [before, after] = [rows[position - 1], rows[position + 1]];
    const isAlone = (before?.average ?? null) === null && (after?.average ?? null) === null;
    if (row.average === null || !isAlone) return [row];
    const from = Math.max(row.at - bucketMs / 2, before?.at ?? -Infinity);
    const to = Math.min(row.at + bucketMs / 2, after?.at ?? Infinity);
    return [
      { ...row, at: within(from) },
      { ...row, at: within(to) },
    ];
  });
}

/** The row nearest to an instant, or undefined when none is within `reachMs`. */
export function rowAt(rows: readonly ChartRow[], at: number, reachMs: number): ChartRow | undefined {
  let nearest: ChartRow | undefined;
  for (const row of rows) {
    if (row.average === null || Math.abs(row.at - at) > reachMs) continue;
    if (nearest === undefined || Math.abs(row.at - at) < Math.abs(nearest.at - at)) nearest = row;
  }
  return nearest;
}

/**
 * Greatest figure of a curve, or undefined without any.
 * @param latest figure that is shown beside it, and may be newer than the curve
 */
export function peakOf(rows: readonly ChartRow[], latest?: number): number | undefined {
  let peak = latest;
  for (const { most } of rows) if (most !== null && (peak === undefined || most > peak)) peak = most;
  return peak;
}

/** Mean of the rows of a curve, each of which stands for as much time; undefined without any. */
export function averageOf(rows: readonly ChartRow[]): number | undefined {
  const figures = rows.flatMap(({ average }) => (average === null ? [] : [average]));
  return figures.length === 0 ? undefined : figures.reduce((sum, figure) => sum + figure, 0) / figures.length;
}

interface Bucket {
  readonly index: number;
  atSum: number;
  sum: number;
  count: number;
  least: number;
  most: number;
}

function addTo(bucket: Bucket | undefined, index: number, at: number, figure: number): Bucket {
  if (bucket === undefined) return { index, atSum: at, sum: figure, count: 1, least: figure, most: figure };
  bucket.atSum += at;
  bucket.sum += figure;
  bucket.count += 1;
  bucket.least = Math.min(bucket.least, figure);
  bucket.most = Math.max(bucket.most, figure);
  return bucket;
}

function toRow({ atSum, sum, count, least, most }: Bucket): ChartRow {
  return { at: atSum / count, average: sum / count, least, most };
}
