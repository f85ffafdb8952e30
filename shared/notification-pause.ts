/** Length of a pause of notifications, in ms. */
export const NOTIFICATION_PAUSE_MS = 3_600_000;

/**
 * True while notifications are paused. A time that is further ahead than the longest pause was stored before the clock was set
 * back, and does not pause notifications. @param now epoch milliseconds
 */
export const isPausedAt = ({ pausedUntil }: { readonly pausedUntil: number }, now: number): boolean =>
  pausedUntil > now && pausedUntil <= now + NOTIFICATION_PAUSE_MS;
