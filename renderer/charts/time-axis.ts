import { spanBetween } from '../store/span-choice.ts';
import type { TimeWindow } from './downsample.ts';

const SECOND_MS = 1000;

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

/** Window of half the span in which an instant keeps its place. */
export function zoomInto({ from, to }: TimeWindow, at: number): TimeWindow {
  return spanBetween((from + at) / 2, (to + at) / 2);
}

const roundDown = (value: number, step: number): number => Math.floor(value / step) * step;
