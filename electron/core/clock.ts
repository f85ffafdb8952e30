/** A resource that can be released once; disposing twice is harmless. */
export interface Disposable {
  dispose(): void;
}

/** Monotonic time in milliseconds, for deadlines and durations. It never jumps when the wall clock is set. */
export interface Clock {
  now(): number;
  /** Accepts any delay. A delay beyond the longest timer of the platform ends early, after weeks. */
  setTimeout(task: () => void, delayMs: number): Disposable;
}

/**
 * Longest timer in ms, 24.8 days. Node runs a timer with a longer delay immediately, with a warning; a `Clock` runs it after
 * 24.8 days.
 */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Returns the delay to the multiple of `periodMs` nearest to one period from now: between half a period and one and a half.
 * Aligned timers wake the process together, because a hundred separate wake-ups cost more than their work.
 */
export const delayInStep = (nowMs: number, periodMs: number): number =>
  (Math.round(nowMs / periodMs) + 1) * periodMs - nowMs;

/** Time of day in milliseconds since 1970, for display. Never used for durations. */
export interface WallClock {
  epochMs(): number;
}

/** Returns uniform random numbers in [0, 1). */
export type RandomSource = () => number;
