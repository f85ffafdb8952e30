import type { TimeWindow } from '../charts/downsample.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Milliseconds for which one-minute buckets are kept; older figures are in buckets of 15 minutes. */
const MINUTES_KEPT_MS = 7 * DAY_MS;

/** Time range of the curves of an end: the time before it and a little after, longer if only coarse buckets are left. */
export function windowBefore(at: number, now: number): TimeWindow {
  const isFine = now - at < MINUTES_KEPT_MS - MINUTE_MS;
  const beforeMs = isFine ? 10 * MINUTE_MS : DAY_MS / 4;
  return { from: Math.max(0, at - beforeMs), to: at + beforeMs / 10 };
}
