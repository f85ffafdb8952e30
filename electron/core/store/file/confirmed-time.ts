const DAY_MS = 24 * 3_600_000;
/** A longer time between two looks at the clock may have been slept through. */
const MAX_STEP_MS = 2 * 60_000;

/**
 * A time of day that is certainly over. The clock may be set forward by a year for an hour, and what is deleted for that is
 * lost: a time counts as confirmed when the panel has run for a day since, and the clock was never before it again.
 */
export interface ConfirmedTime {
  /** 0 before the first one. */
  readonly confirmedAt: number;
  /** The next one, if all goes well. */
  readonly candidateAt: number;
  readonly ranSinceMs: number;
}

/**
 * The same after a look at the clock.
 * @param at time of day
 * @param ranMs by the monotonic clock, since the look before
 */
export function confirmTime(known: ConfirmedTime | undefined, at: number, ranMs: number): ConfirmedTime {
  if (known === undefined || at < known.candidateAt)
    return { confirmedAt: Math.min(known?.confirmedAt ?? 0, at), candidateAt: at, ranSinceMs: 0 };
  const ranSinceMs = known.ranSinceMs + Math.min(Math.max(ranMs, 0), MAX_STEP_MS);
  if (ranSinceMs < DAY_MS) return { ...known, ranSinceMs };
  return { confirmedAt: known.candidateAt, candidateAt: at, ranSinceMs: 0 };
}
