const DAY_MS = 24 * 3_600_000;
/** Longest step between two readings of the clock, in ms; the machine may have slept through a longer one. */
const MAX_STEP_MS = 2 * 60_000;

/**
 * A time of day that is certainly past. The clock may be wrong by a year for an hour, and data deleted because of that is
 * lost. A time is confirmed when the panel has run for a day since then without the clock ever being before it again.
 */
export interface ConfirmedTime {
  /** Epoch milliseconds; 0 before the first confirmed time. */
  readonly confirmedAt: number;
  /** Time that is confirmed next, in epoch milliseconds. */
  readonly candidateAt: number;
  readonly ranSinceMs: number;
}

/**
 * Returns the state after a reading of the clock.
 * @param at time of day
 * @param ranMs monotonic time since the previous reading
 */
export function confirmTime(known: ConfirmedTime | undefined, at: number, ranMs: number): ConfirmedTime {
  if (known === undefined || at < known.candidateAt)
    return { confirmedAt: Math.min(known?.confirmedAt ?? 0, at), candidateAt: at, ranSinceMs: 0 };
  const ranSinceMs = known.ranSinceMs + Math.min(Math.max(ranMs, 0), MAX_STEP_MS);
  if (ranSinceMs < DAY_MS) return { ...known, ranSinceMs };
  return { confirmedAt: known.candidateAt, candidateAt: at, ranSinceMs: 0 };
}
