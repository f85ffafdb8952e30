import { formatDuration } from '../../shared/durations.ts';

export { formatDuration, formatSpan } from '../../shared/durations.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/**
 * * Time until something is due; never 0, because "in 0 s" reads as a mistake. Fractions of a second are cut off because the
 * app window's clock is as old as its last tick: 5 m would otherwise first appear as 5 m 1 s.
 */
export function formatUntil(ms: number): string {
  return formatDuration(Math.max(SECOND_MS, Math.floor(ms / SECOND_MS) * SECOND_MS));
}

/** Age in one unit, because a past moment needs no precision: `just now`, `4 s ago`, `3 m ago`. */
export function formatAgo(ms: number): string {
  if (ms < 2 * SECOND_MS) return 'just now';
  if (ms < MINUTE_MS) return `${Math.floor(ms / SECOND_MS)} s ago`;
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)} m ago`;
  return ms < DAY_MS ? `${Math.floor(ms / HOUR_MS)} h ago` : `${Math.floor(ms / DAY_MS)} d ago`;
}
