import { formatClockTime, formatDay, formatHourMinute, formatMoment } from '../format/moments.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Instant of a bucket as precisely as the bucket is: `20:41:05`, `20:41`, `2026-09-01 20:41`, `2026-09-01`. */
export function instantWords(at: number, stepMs: number, now: number): string {
  if (stepMs >= DAY_MS) return formatDay(at);
  const isToday = formatDay(at) === formatDay(now);
  if (stepMs < MINUTE_MS) return isToday ? formatClockTime(at) : formatMoment(at);
  return isToday ? formatHourMinute(at) : `${formatDay(at)} ${formatHourMinute(at)}`;
}
