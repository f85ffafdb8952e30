import type { LimitsInForce, Series, SeriesReply } from '../../shared/history.ts';
import type { ChartMark } from './chart.tsx';
import { peakOf, type ChartRow, type ChartRows, type TimeWindow } from './downsample.ts';
import type { ChartFigure, FigureLook } from './figures.ts';
import { axisWithin, pastLimitSpans, shownLimits, type ChartLimit } from './limits.ts';
import type { ValueAxis } from './axis.ts';

/** One figure of a server over a span of time, ready to be drawn. */
export interface Curve {
  readonly figure: FigureLook;
  readonly data: ChartRows;
  /** Limits, oldest first and never two at once. */
  readonly limits: readonly ChartLimit[];
  readonly axis: ValueAxis;
  /** Where something of it went wrong. */
  readonly marks?: readonly ChartMark[];
  /** What the figures of its rows are called, where they are not the average, the least and the most of samples. */
  readonly parts?: CurveParts;
  /** How long one of its rows stands for, where that is not what the others have. */
  readonly bucketMs?: number;
}

/** What the figures of a row are called. */
export interface CurveParts {
  readonly average: string;
  readonly least?: string;
  readonly most: string;
}

/** A curve of samples. */
export interface SampleCurve extends Curve {
  readonly figure: ChartFigure;
}

const SECOND_MS = 1000;
/** Silence between single samples that is no gap: three of the slowest looks of the sampler. */
const SAMPLE_REACH_MS = 15_000;

interface RowRules {
  readonly window: TimeWindow;
  /** Whether the figure is measured now and then only: then nothing but these is a gap. */
  readonly isSparse: boolean;
  /** Times when nothing was measured: no curve crosses one. */
  readonly absences?: readonly TimeWindow[];
  /** Instants at which what is measured ended: no curve goes on from the bucket that holds one. */
  readonly ends?: readonly number[];
}

/** Farthest apart that two figures may be without a gap between them: buckets may be shorter than the pace of the sampler. */
export const reachOf = (stepMs: number): number => Math.max(stepMs, SAMPLE_REACH_MS);

/**
 * Rows of a curve from the buckets of the history, each in the middle of what is shown of its bucket, with a row of nulls in
 * each gap. Nothing is drawn beside the window, which may begin in the middle of a bucket, or be another one by now.
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
    // A second holds a single look, which is shown at its own time.
    const at = stepMs > SECOND_MS ? middleOf(start, stepMs, window) : Math.max(start, window.from);
    rows.push({ at, average, least, most });
    isBanded ||= most > least;
  });
  return { rows, isBanded };
}

/** Row of a gap. */
export const gapAt = (at: number): ChartRow => ({ at, average: null, least: null, most: null });

/** Middle of what is shown of a unit. */
export const middleOf = (at: number, unitMs: number, window: TimeWindow): number =>
  (Math.max(at, window.from) + Math.min(at + unitMs, window.to)) / 2;

/** No more buckets than a chart has room for; a round step is chosen below it. */
export const PAST_BUCKETS = 400;

interface CurveRules {
  readonly window: TimeWindow;
  /** Limits of a time of which events tell more than the history, or that it kept none of. Absent: those are not drawn. */
  readonly limitsNow?: (figure: ChartFigure, kept: readonly LimitsInForce[]) => readonly ChartLimit[];
  readonly absences: readonly TimeWindow[];
  /** Instants at which a run ended. */
  readonly ends: readonly number[];
}

/** Curves of a server from its buckets over time. */
export function curvesOf(
  reply: SeriesReply,
  server: string,
  figures: readonly ChartFigure[],
  { limitsNow, ...rules }: CurveRules,
): readonly SampleCurve[] {
  const kept = reply.limits.filter((limits) => limits.server === server);
  const isOfSamples = reply.resolution === 'sample';
  const areKept = limitsNow === undefined || (kept.length > 0 && !isOfSamples);
  return figures.map((figure) => {
    const series = reply.series.find((one) => one.server === server && one.metric === figure.metric);
    const data = seriesRows(series ?? NO_SERIES, reply, { ...rules, isSparse: figure.isSparse === true });
    const limits = areKept ? keptLimits(figure, kept, rules.window) : limitsNow(figure, kept);
    return {
      // The average of a count is no count, so that it is a line with a band, and no steps.
      figure: figure.shape === 'steps' && !isOfSamples ? { ...figure, shape: 'line' } : figure,
      data,
      limits,
      axis: axisWithin(figure, peakOf(data.rows), limits),
    };
  });
}

const NO_SERIES = { index: [], avg: [], min: [], max: [] };

function keptLimits(
  { limit }: ChartFigure,
  kept: readonly LimitsInForce[],
  window: TimeWindow,
): readonly ChartLimit[] {
  if (limit === undefined) return [];
  return shownLimits(pastLimitSpans(kept, limit.setting, limit.unit), limit, window);
}

/** Whether the history has anything of a server from before an instant. */
export function hasBefore({ series, from, stepMs }: SeriesReply, server: string, at: number): boolean {
  return series.some(
    ({ server: of, index }) =>
      of === server && index[0] !== undefined && from + (index[0] + 1) * stepMs <= at,
  );
}
