import type { CallSeriesReply } from '../../shared/history.ts';
import { errorsWords, formatCallDuration, formatCallRate } from '../format/call-figures.ts';
import { formatInstant } from '../format/moments.ts';
import { formatSpan } from '../format/durations.ts';
import { callsLook, durationLook, linesOf, type CallCurve } from './call-curves.ts';
import { countedAt, gapAt, middleOf, rateRows } from './call-rows.ts';
import { peakOf, type TimeWindow } from './downsample.ts';

const MINUTE_MS = 60_000;

/** Calls of one bucket of the history; `calls` is their number per minute, so that spans compare. */
interface Bucket {
  readonly at: number;
  readonly calls: number;
  readonly errors: number;
  readonly averageMs: number | undefined;
  readonly maxMs: number | undefined;
}

interface Frame {
  readonly window: TimeWindow;
  readonly absences: readonly TimeWindow[];
  readonly unitMs: number;
}

/** Calls per minute and how long they took, average to longest, over any span. Nothing where there was no call. */
export function pastCallCurves(
  { from, stepMs, buckets, busiest }: CallSeriesReply,
  window: TimeWindow,
  absences: readonly TimeWindow[],
): readonly CallCurve[] {
  const frame = { window, absences, unitMs: stepMs };
  const shown = buckets
    .map(({ index, calls, errors, averageMs, maxMs }) => {
      const at = from + index * stepMs;
      return { at, calls: calls / (stepMs / MINUTE_MS), errors, averageMs, maxMs };
    })
    .filter(({ at }) => at + stepMs > window.from && at < window.to);
  if (shown.length === 0) return [];
  const timed = shown.filter(({ averageMs, maxMs }) => (averageMs ?? maxMs) !== undefined);
  return [callsCurve(shown, frame, busiest), ...(timed.length === 0 ? [] : [durationCurve(timed, frame)])];
}

function callsCurve(
  buckets: readonly Bucket[],
  frame: Frame,
  busiest: CallSeriesReply['busiest'],
): CallCurve {
  const rows = rateRows(buckets, frame);
  const peak = peakOf(rows) ?? 0;
  const errors = buckets.reduce((sum, bucket) => sum + bucket.errors, 0);
  return {
    figure: { ...callsLook, format: formatRate },
    data: { rows, isBanded: false },
    limits: [],
    axis: callsLook.axisFor(peak),
    bucketMs: frame.unitMs,
    marks: buckets
      .filter((bucket) => bucket.errors > 0)
      .map(({ at, calls }) => ({ at: middleOf(at, frame.unitMs, frame.window), value: calls })),
    told: linesOf([busiestWords(busiest) ?? `peak ${formatRate(peak)}`, errorsWords(errors)]),
    at: (instant) => {
      const bucket = countedAt(buckets, instant, frame.unitMs);
      const rate = formatRate(bucket?.calls ?? 0);
      return joined([rate, errorsWords(bucket?.errors ?? 0)]);
    },
  };
}

function durationCurve(buckets: readonly Bucket[], { window, unitMs }: Frame): CallCurve {
  const rows = buckets.flatMap(({ at, averageMs, maxMs }, position) => {
    const before = buckets[position - 1];
    const average = averageMs ?? maxMs ?? 0;
    const row = { at: middleOf(at, unitMs, window), average, least: average, most: maxMs ?? average };
    return before !== undefined && before.at + unitMs < at ? [gapAt(at - unitMs / 2), row] : [row];
  });
  return {
    figure: durationLook,
    data: { rows, isBanded: true },
    limits: [],
    axis: durationLook.axisFor(peakOf(rows)),
    parts: { average: 'average', most: 'max' },
    bucketMs: unitMs,
    told: [`longest ${formatCallDuration(peakOf(rows))}`],
    at: (instant) => {
      const bucket = countedAt(buckets, instant, unitMs);
      if (bucket === undefined) return `no call at ${formatInstant(instant, window.to - window.from)}`;
      return `avg ${formatCallDuration(bucket.averageMs)}, max ${formatCallDuration(bucket.maxMs)}`;
    },
  };
}

/** "peak 49 /min": of a minute where minutes are kept of the whole span, as the rate of now is. */
function busiestWords(busiest: CallSeriesReply['busiest']): string | undefined {
  if (busiest === undefined) return undefined;
  const { calls, stepMs } = busiest;
  const over = stepMs > MINUTE_MS ? ` over ${formatSpan(stepMs)}` : '';
  return `peak ${formatRate(calls / (stepMs / MINUTE_MS))}${over}`;
}

/** Rates of long buckets are small: one call in a quarter of an hour is no 0 per minute. */
const formatRate = (perMinute: number | undefined): string =>
  perMinute === undefined || perMinute === 0 || perMinute >= 10
    ? formatCallRate(perMinute)
    : `${Number(perMinute.toPrecision(2))} /min`;

const joined = (words: readonly (string | undefined)[]): string => linesOf(words).join(', ');
