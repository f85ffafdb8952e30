/** Number of bytes in a MiB, the unit in which memory is limited and shown. */
export const BYTES_PER_MIB = 1024 * 1024;

export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
export const WEEK_MS = 7 * DAY_MS;
