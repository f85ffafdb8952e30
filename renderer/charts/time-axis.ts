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

/** Steps in which a live window moves on: a sixtieth of it, so that it stands still most of the time. */
export const stepMsFor = (spanMs: number): number =>
  Math.max(5 * SECOND_MS, roundDown(spanMs / 60, SECOND_MS));

/**
 * Window that ends now or up to one step later: what comes meanwhile fills the room at its right edge, and
 * nothing else moves. A second is kept free because samples may be ahead of the window's clock.
 */
export function windowEndingAt(now: number, spanMs: number): TimeWindow {
  const stepMs = stepMsFor(spanMs);
  const to = roundDown(now + SECOND_MS, stepMs) + stepMs;
  return { from: to - spanMs, to };
}

/** Shortest window that can be zoomed to: ten samples. */
const SHORTEST_ZOOM_MS = 10 * SECOND_MS;

/** Window from one instant to another, whichever comes first, and not shorter than what shows a curve. */
export function zoomBetween(one: number, other: number): TimeWindow {
  const missingMs = Math.max(0, SHORTEST_ZOOM_MS - Math.abs(one - other));
  return { from: Math.min(one, other) - missingMs / 2, to: Math.max(one, other) + missingMs / 2 };
}

/** Window of half the span in which an instant keeps its place. */
export function zoomInto({ from, to }: TimeWindow, at: number): TimeWindow {
  return zoomBetween((from + at) / 2, (to + at) / 2);
}

const roundDown = (value: number, step: number): number => Math.floor(value / step) * step;
