/** Notifications can be paused for so long at once. */
export const NOTIFICATION_PAUSE_MS = 3_600_000;

/**
 * Whether nothing is told. A moment further ahead than a pause can be was set by a clock that has been set back since,
 * and pauses nothing. @param now epoch milliseconds
 */
export const isPausedAt = ({ pausedUntil }: { readonly pausedUntil: number }, now: number): boolean =>
  pausedUntil > now && pausedUntil <= now + NOTIFICATION_PAUSE_MS;
