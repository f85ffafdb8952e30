/** A resource that must be released. Releasing it again has no effect. */
export interface Disposable {
  dispose(): void;
}

/** Monotonic time in milliseconds, for deadlines and durations. It never jumps when the wall clock is set. */
export interface Clock {
  now(): number;
  /** Runs `task` once. Any delay is accepted, but no delay lasts longer than `LONGEST_TIMER_MS` (24.8 days). */
  setTimeout(task: () => void, delayMs: number): Disposable;
}

/**
 * Longest timer in ms, 24.8 days. Node runs a timer with a longer delay immediately, with a warning; a `Clock` runs it after
 * 24.8 days.
 */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Returns the delay until a multiple of `periodMs`, namely the one nearest to one period from now; the delay is between half a
 * period and one and a half. Timers of the same period thus fire together and wake the process once. A hundred separate
 * wake-ups would cost more than the work of their tasks.
 */
export const delayInStep = (nowMs: number, periodMs: number): number =>
  (Math.round(nowMs / periodMs) + 1) * periodMs - nowMs;

/** Time of day in milliseconds since 1970, for display. Never used for durations. */
export interface WallClock {
  epochMs(): number;
}

/** Returns uniform random numbers in [0, 1). */
export type RandomSource = () => number;
