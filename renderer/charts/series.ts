import type { Series, SeriesReply } from '../../shared/history.ts';
import type { ChartMark } from './chart.tsx';
import { peakOf, type ChartRow, type ChartRows, type TimeWindow } from './downsample.ts';
import type { ChartFigure, FigureLook } from './figures.ts';
import { axisWithin, limitsWithin, type ChartLimit, type LimitsNow } from './limits.ts';
import type { ValueAxis } from './axis.ts';
import { SECOND_MS } from '../../shared/units.ts';

/** Curve of another time, such as last week, shifted to be drawn behind the current one. `words` names that time: "last week". */
export interface ComparedCurve {
  readonly rows: readonly ChartRow[];
  readonly words: string;
}

/** One figure of a server over a time span, ready to be drawn. */
export interface Curve {
  readonly figure: FigureLook;
  readonly data: ChartRows;
  /** Limits, oldest first; their time spans never overlap. */
  readonly limits: readonly ChartLimit[];
  readonly axis: ValueAxis;
  /** Points at which calls failed. */
  readonly marks?: readonly ChartMark[];
  /** Names of a row's values if they are not the average, minimum and maximum of samples. */
  readonly parts?: CurveParts;
  /** Time in ms that a row represents; undefined if it is the same as for the other curves in the stack. */
  readonly bucketMs?: number;
  /** Curve of another time that is drawn behind this one, for comparison. */
  readonly compared?: ComparedCurve;
}

/** Displayed names of the values of a row; without a `least`, the row has no minimum. */
export interface CurveParts {
  readonly average: string;
  readonly least?: string;
  readonly most: string;
}

/** Curve of a figure that the sampler measures. */
export interface SampleCurve extends Curve {
  readonly figure: ChartFigure;
}
/** Longest time in ms between two samples that does not count as a gap: three times the sampler's longest interval. */
const SAMPLE_REACH_MS = 15_000;

interface RowRules {
  readonly window: TimeWindow;
  /** Whether the figure is measured only occasionally, so only `absences` and `ends` cause gaps, not missing measurements. */
  readonly isSparse: boolean;
  /** Time spans in which nothing was measured; no curve is drawn across them. */
  readonly absences?: readonly TimeWindow[];
  /** Instants at which the measured process ended; a curve has a gap after the bucket that contains such an instant. */
  readonly ends?: readonly number[];
}

/**
 * Returns the longest time in ms between two values that does not count as a gap. Never less than the reach of samples, because
 * buckets may be shorter than the sampler's interval.
 */
export const reachOf = (stepMs: number): number => Math.max(stepMs, SAMPLE_REACH_MS);

/**
 * Returns the rows of a curve from the history's buckets, each in the middle of the visible part of its bucket, with a row of
 * nulls in each gap. Buckets outside the time window are left out. The window may begin within a bucket, and it may have
 * changed since the query.
 */
export function seriesRows(
  { index, avg, min, max }: Pick<Series, 'index' | 'avg' | 'min' | 'max'>,
  { from, stepMs }: Pick<SeriesReply, 'from' | 'stepMs'>,
  { window, isSparse, absences = [], ends = [] }: RowRules,
): ChartRows {
  const rows: ChartRow[] = [];
  let isBanded = false;
  const isGap = (before: number, number: number) => {
    if (!isSparse && (number - before) * stepMs > reachOf(stepMs)) return true;
    const [since, until] = [from + before * stepMs, from + number * stepMs];
    return (
      ends.some((end) => end >= since && end < until) ||
      absences.some((absence) => absence.from < until && absence.to > since + stepMs)
    );
  };
  index.forEach((number, position) => {
    const [average, least, most] = [avg[position], min[position], max[position]];
    const start = from + number * stepMs;
    if (average === undefined || least === undefined || most === undefined) return;
    if (start + stepMs <= window.from || start >= window.to) return;
    const before = index[position - 1];
    if (rows.length > 0 && before !== undefined && isGap(before, number))
      rows.push(gapAt(from + ((before + number + 1) / 2) * stepMs));
    // A bucket of one second contains a single sample, which is drawn at its own time.
    const at = stepMs > SECOND_MS ? middleOf(start, stepMs, window) : Math.max(start, window.from);
    rows.push({ at, average, least, most });
    isBanded ||= most > least;
  });
  return { rows, isBanded };
}

/** Returns a row of nulls at an instant, which makes a gap in the curve. */
export const gapAt = (at: number): ChartRow => ({ at, average: null, least: null, most: null });

/** Returns the middle of the visible part of a bucket. */
export const middleOf = (at: number, unitMs: number, window: TimeWindow): number =>
  (Math.max(at, window.from) + Math.min(at + unitMs, window.to)) / 2;

/**
 * Maximum number of buckets requested for a chart, about as many as its width can show. The history chooses a round bucket
 * length that needs no more buckets than that.
 */
export const PAST_BUCKETS = 400;

interface CurveRules {
  readonly window: TimeWindow;
  /** Current limits, which may be newer than those in the history; if undefined, only the history's limits are used. */
  readonly limitsNow?: LimitsNow;
  readonly absences: readonly TimeWindow[];
  /** Instants at which a run ended. */
  readonly ends: readonly number[];
}

/** Returns the curves of a server from the history's answer. */
export function curvesOf(
  reply: SeriesReply,
  server: string,
  figures: readonly ChartFigure[],
  { limitsNow, ...rules }: CurveRules,
): readonly SampleCurve[] {
  const kept = reply.limits.filter((limits) => limits.server === server);
  const isOfSamples = reply.resolution === 'sample';
  const newer = kept.length > 0 && !isOfSamples ? undefined : limitsNow;
  return figures.map((figure) => {
    const series = reply.series.find((one) => one.server === server && one.metric === figure.metric);
    const data = seriesRows(series ?? NO_SERIES, reply, { ...rules, isSparse: figure.isSparse === true });
    const limits = limitsWithin(figure, kept, rules.window, newer);
    return {
      // The average of a count may not be a whole number, so it is drawn as a line with a band instead of steps.
      figure: figure.shape === 'steps' && !isOfSamples ? { ...figure, shape: 'line' } : figure,
      data,
      limits,
      axis: axisWithin(figure, peakOf(data.rows), limits),
    };
  });
}

const NO_SERIES = { index: [], avg: [], min: [], max: [] };

/** Whether the history has, for this server, a bucket that ended before the given instant. */
export function hasBefore({ series, from, stepMs }: SeriesReply, server: string, at: number): boolean {
  return series.some(
    ({ server: of, index }) =>
      of === server && index[0] !== undefined && from + (index[0] + 1) * stepMs <= at,
  );
}
