import type { CallBucket, CallSeriesReply } from '../../shared/history.ts';
import { errorsWords, formatCallDuration, formatCallRate } from '../format/call-figures.ts';
import { formatSpan } from '../format/durations.ts';
import { formatHourMinute, formatInstant } from '../format/moments.ts';
import { peakOf, type ChartRow, type TimeWindow } from './downsample.ts';
import { callsFigure, durationFigure } from './figures.ts';
import { gapAt, middleOf, type Curve } from './series.ts';
import { MINUTE_MS } from '../../shared/units.ts';

/**
 * Curve about the calls of a server, with its texts: a summary of the time window (`told`) and the value at an instant (`at`).
 */
export interface CallCurve extends Curve {
  /** Summary of the time window, one text per line. */
  readonly told: readonly string[];
  at(instant: number): string;
}

/** Calls counted in one bucket, which starts at `at`. Its length is the `unitMs` of `CountedCalls`. */
interface Counted {
  readonly at: number;
  /** Calls per minute, so that buckets of different lengths can be compared. */
  readonly calls: number;
  readonly errors: number;
  /** Durations of the calls; undefined if the bucket has none, for example because all calls were cancelled. */
  readonly durations?: Durations;
}

interface Durations {
  readonly middleMs: number;
  readonly longMs: number;
  readonly maxMs: number;
}

/** Calls of a time window in buckets of `unitMs`, which is one minute or longer. */
interface CountedCalls {
  readonly counts: readonly Counted[];
  readonly unitMs: number;
  /** Names of the two durations in a table and in the readout: percentiles, or average and maximum. */
  readonly parts: { readonly average: string; readonly most: string };
  readonly told: (durations: Durations) => string;
  /** Text of the highest rate of calls; undefined if the rate must be computed from `counts`. */
  readonly peak?: string | undefined;
}

/**
 * Returns the curve of calls per minute, with a mark at each bucket that has errors, and the curve of call durations. Durations
 * range from p50 to p95 if every bucket shown has percentiles, otherwise from average to longest. Empty if there are no calls;
 * the durations are left out if all calls were cancelled or lost.
 */
export function callCurves(
  { from, stepMs, buckets, busiest }: CallSeriesReply,
  window: TimeWindow,
  absences: readonly TimeWindow[],
): readonly CallCurve[] {
  const atOf = ({ index }: CallBucket) => from + index * stepMs;
  const shown = buckets.filter((bucket) => atOf(bucket) + stepMs > window.from && atOf(bucket) < window.to);
  if (shown.length === 0) return [];
  const isExact = shown.every(({ p50Ms, maxMs }) => p50Ms !== undefined || maxMs === undefined);
  const counts = shown.map((bucket): Counted => {
    const durations = durationsOf(bucket, isExact);
    const calls = bucket.calls / (stepMs / MINUTE_MS);
    return { at: atOf(bucket), calls, errors: bucket.errors, ...(durations && { durations }) };
  });
  const peak = stepMs > MINUTE_MS ? busiestWords(busiest) : undefined;
  const all = { unitMs: stepMs, peak, ...(isExact ? percentiles : averages) };
  const timed = counts.filter(({ durations }) => durations !== undefined);
  const durations = timed.length === 0 ? [] : [durationCurve({ ...all, counts: timed }, window)];
  return [rateCurve({ ...all, counts }, window, absences), ...durations];
}

function durationsOf({ averageMs, maxMs, p50Ms, p95Ms }: CallBucket, isExact: boolean): Counted['durations'] {
  if (maxMs === undefined) return undefined;
  const middleMs = isExact ? p50Ms : (averageMs ?? p50Ms);
  return { middleMs: middleMs ?? maxMs, longMs: (isExact ? p95Ms : undefined) ?? maxMs, maxMs };
}

const percentiles = {
  parts: { average: 'p50', most: 'p95' },
  told: ({ middleMs, longMs }: Durations) =>
    `p95 ${formatCallDuration(longMs)}, p50 ${formatCallDuration(middleMs)}`,
};

const averages = {
  parts: { average: 'average', most: 'max' },
  told: ({ middleMs, longMs }: Durations) =>
    `avg ${formatCallDuration(middleMs)}, max ${formatCallDuration(longMs)}`,
};

function rateCurve(
  { counts, unitMs, peak }: CountedCalls,
  window: TimeWindow,
  absences: readonly TimeWindow[],
): CallCurve {
  const rows = rateRows(counts, unitMs, window, absences);
  const highest = peakOf(rows) ?? 0;
  const errors = counts.reduce((sum, count) => sum + count.errors, 0);
  return {
    figure: callsFigure,
    data: { rows, isBanded: false },
    limits: [],
    axis: callsFigure.axisFor(highest),
    bucketMs: unitMs,
    marks: counts
      .filter((count) => count.errors > 0)
      .map(({ at, calls }) => ({ at: middleOf(at, unitMs, window), value: calls })),
    told: known([peak ?? `peak ${formatCallRate(highest)}`, errorsWords(errors)]),
    at: (instant) => {
      const count = countedAt(counts, instant, unitMs);
      const rate = formatCallRate(count?.calls ?? 0);
      const failed = errorsWords(count?.errors ?? 0);
      if (failed === undefined && unitMs === MINUTE_MS) return `${rate} at ${formatHourMinute(instant)}`;
      return known([rate, failed]).join(', ');
    },
  };
}

function durationCurve({ counts, unitMs, parts, told }: CountedCalls, window: TimeWindow): CallCurve {
  const rows = counts.flatMap(({ at, durations }, position) => {
    if (durations === undefined) return [];
    const before = counts[position - 1];
    const isApart = before !== undefined && before.at + unitMs < at;
    const { middleMs, longMs } = durations;
    const row = { at: middleOf(at, unitMs, window), average: middleMs, least: middleMs, most: longMs };
    return isApart ? [gapAt(at - unitMs / 2), row] : [row];
  });
  const longestMs = Math.max(...counts.map(({ durations }) => durations?.maxMs ?? 0));
  const momentOf = (at: number) =>
    unitMs === MINUTE_MS ? formatHourMinute(at) : formatInstant(at, window.to - window.from);
  return {
    figure: durationFigure,
    data: { rows, isBanded: true },
    limits: [],
    axis: durationFigure.axisFor(peakOf(rows)),
    parts,
    bucketMs: unitMs,
    told: [`longest ${formatCallDuration(longestMs)}`],
    at: (instant) => {
      const durations = countedAt(counts, instant, unitMs)?.durations;
      return durations === undefined ? `no call at ${momentOf(instant)}` : told(durations);
    },
  };
}

/**
 * Returns the rows of the rate curve, with one block per bucket that has calls. Between the blocks the value is zero, because
 * then it is known that there were no calls. There is a gap only while the panel did not run.
 */
function rateRows(
  counts: readonly Counted[],
  unitMs: number,
  window: TimeWindow,
  absences: readonly TimeWindow[],
): readonly ChartRow[] {
  return counts.flatMap(({ at, calls }, position) => {
    const end = Math.min(at + unitMs, window.to);
    const next = counts[position + 1]?.at ?? window.to;
    const isLast = position === counts.length - 1;
    const start = rowOf(Math.max(at, window.from), calls);
    if (next <= end) return isLast ? [start, rowOf(end, calls)] : [start];
    const quiet = quietRows({ from: end, to: next }, absences);
    const isUnknown = quiet[0]?.average === null;
    return [
      start,
      ...(isUnknown ? [rowOf(end, calls)] : []),
      ...quiet,
      ...(isLast ? quietEnd(quiet, next) : []),
    ];
  });
}

/**
 * Returns the rows of a time span without calls: zeros, and a gap for each absence (time in which the panel did not run). A gap
 * never begins before the time span.
 */
function quietRows({ from, to }: TimeWindow, absences: readonly TimeWindow[]): readonly ChartRow[] {
  const rows: ChartRow[] = [];
  let at = from;
  const away = absences.filter((absence) => absence.from < to && absence.to > from);
  for (const absence of away.toSorted((one, other) => one.from - other.from)) {
    if (absence.from > at) rows.push(rowOf(at, 0), rowOf(absence.from, 0));
    if (absence.to > at) rows.push(gapAt(Math.max(at, absence.from)));
    at = Math.max(at, absence.to);
  }
  return at < to ? [...rows, rowOf(at, 0)] : rows;
}

/** Returns a last row that ends the line of zeros at the end of the time window. Returns no row if the window ends in a gap. */
const quietEnd = (quiet: readonly ChartRow[], to: number): readonly ChartRow[] =>
  quiet.at(-1)?.average === 0 ? [rowOf(to, 0)] : [];

const rowOf = (at: number, value: number): ChartRow => ({ at, average: value, least: value, most: value });

/** Returns the bucket that contains an instant; undefined if no call was counted then. */
const countedAt = (counts: readonly Counted[], instant: number, unitMs: number): Counted | undefined =>
  counts.find(({ at }) => at <= instant && instant < at + unitMs);

/**
 * Returns a text such as "peak 49 /min". If the history has minutes for the whole time window, the peak is the highest rate of
 * a single minute, like the latest rate beside it. Otherwise the text also says how long the measured time was.
 */
function busiestWords(busiest: CallSeriesReply['busiest']): string | undefined {
  if (busiest === undefined) return undefined;
  const { calls, stepMs } = busiest;
  const over = stepMs > MINUTE_MS ? ` over ${formatSpan(stepMs)}` : '';
  return `peak ${formatCallRate(calls / (stepMs / MINUTE_MS))}${over}`;
}

/** Returns the median duration in ms of calls in the newest bucket that has one; undefined if none has. */
export const latestP50Of = (calls: CallSeriesReply | undefined): number | undefined =>
  calls?.buckets.findLast(({ p50Ms }) => p50Ms !== undefined)?.p50Ms;

const known = (words: readonly (string | undefined)[]): readonly string[] =>
  words.filter((word) => word !== undefined);
