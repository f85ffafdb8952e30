/** Days for which figures, events and ends of runs are kept. This is also the longest time span that can be shown. */
export const KEPT_DAYS = 90;
export const KEPT_MS = KEPT_DAYS * 86_400_000;
