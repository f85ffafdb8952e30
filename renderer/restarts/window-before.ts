import type { TimeWindow } from '../charts/downsample.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Time for which minutes are kept; older figures are of quarters of an hour. */
const MINUTES_KEPT_MS = 7 * DAY_MS;

/** The time before an end that its curves show, and a little after it: as long as what is kept of it can tell. */
export function windowBefore(at: number, now: number): TimeWindow {
  const isFine = now - at < MINUTES_KEPT_MS - MINUTE_MS;
  const beforeMs = isFine ? 10 * MINUTE_MS : DAY_MS / 4;
  return { from: Math.max(0, at - beforeMs), to: at + beforeMs / 10 };
}
