import { formatDuration } from '../../shared/durations.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../shared/units.ts';

export { formatDuration, formatSpan } from '../../shared/durations.ts';

/**
 * Time until something is due; never 0, because "in 0 s" looks like a mistake. Fractions of a second are cut off, because the
 * app window's clock shows the time of its last tick: otherwise 5 m would first be shown as 5 m 1 s.
 */
export function formatUntil(ms: number): string {
  return formatDuration(Math.max(SECOND_MS, Math.floor(ms / SECOND_MS) * SECOND_MS));
}

/** Age in a single unit, because the age of a past moment need not be precise: `just now`, `4 s ago`, `3 m ago`. */
export function formatAgo(ms: number): string {
  if (ms < 2 * SECOND_MS) return 'just now';
  if (ms < MINUTE_MS) return `${Math.floor(ms / SECOND_MS)} s ago`;
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)} m ago`;
  return ms < DAY_MS ? `${Math.floor(ms / HOUR_MS)} h ago` : `${Math.floor(ms / DAY_MS)} d ago`;
}
