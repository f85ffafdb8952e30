/** Duration for which notifications are paused, in ms. */
export const NOTIFICATION_PAUSE_MS = 3_600_000;

/**
 * True while notifications are paused. If `pausedUntil` is further ahead than the longest pause, the clock was set back after
 * it was stored, so it does not pause notifications. @param now epoch milliseconds
 */
export const isPausedAt = ({ pausedUntil }: { readonly pausedUntil: number }, now: number): boolean =>
  pausedUntil > now && pausedUntil <= now + NOTIFICATION_PAUSE_MS;
