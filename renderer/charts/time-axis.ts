import { formatClockTime, formatHourMinute } from '../format/moments.ts';
import type { TimeWindow } from './downsample.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const MAX_TICKS = 6;
/** Steps that people count in. */
const tickSteps: readonly number[] = [
  ...[5, 10, 15, 30].map((seconds) => seconds * SECOND_MS),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 2, 3, 6, 12, 24].map((hours) => hours * HOUR_MS),
];

export interface TimeTick {
  readonly at: number;
  readonly label: string;
}

/**
 * Ticks at no more than six round local times, labelled `20:40`, or `20:40:15` where the step is below a
 * minute.
 */
export function timeTicks({ from, to }: TimeWindow): readonly TimeTick[] {
  const span = to - from;
  const step = tickSteps.find((candidate) => span / candidate <= MAX_TICKS) ?? span;
  const offset = new Date(to).getTimezoneOffset() * MINUTE_MS;
  const label = step < MINUTE_MS ? formatClockTime : formatHourMinute;
  const ticks: TimeTick[] = [];
  // No label stands at the left edge itself because it would lie under the value axis.
  for (let at = roundDown(from - offset, step) + step + offset; at <= to; at += step)
    ticks.push({ at, label: label(at) });
  return ticks.slice(-MAX_TICKS);
}

/** Spans to choose from, shortest first. */
export const chartSpans = [
  { spanMs: 5 * MINUTE_MS, label: '5 m' },
  { spanMs: 15 * MINUTE_MS, label: '15 m' },
  { spanMs: HOUR_MS, label: '1 h' },
] as const;

/** Shortest span that shows everything there is, so that a young history does not cling to the right edge. */
export function fittingSpanMs(oldestAt: number | undefined, now: number): number {
  const age = oldestAt === undefined ? 0 : now - oldestAt;
  return chartSpans.find(({ spanMs }) => age <= spanMs)?.spanMs ?? HOUR_MS;
}

/** Bucket per row: 300 to 360 rows per span, on whole seconds. */
export function bucketMsFor(spanMs: number): number {
  return Math.max(SECOND_MS, Math.ceil(spanMs / 360 / SECOND_MS) * SECOND_MS);
}

/** Window that ends now. It moves in whole buckets so that curves are not redrawn for less than a pixel. */
export function windowEndingAt(now: number, spanMs: number, bucketMs: number): TimeWindow {
  const to = Math.ceil(now / bucketMs) * bucketMs;
  return { from: to - spanMs, to };
}

const roundDown = (value: number, step: number): number => Math.floor(value / step) * step;
