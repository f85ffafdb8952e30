/** Something that can be undone once; disposing twice is harmless. */
export interface Disposable {
  dispose(): void;
}

/** Monotonic time in milliseconds, for deadlines and durations. It never jumps when the wall clock is set. */
export interface Clock {
  now(): number;
  /** Any delay will do; one that is longer than a timer of the machine can be ends early, after weeks. */
  setTimeout(task: () => void, delayMs: number): Disposable;
}

/** 24.8 days. Node runs a timer of a longer delay at once, with a warning; a `Clock` runs it after this time. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Delay to the multiple of `periodMs` nearest to one period from now: between half a period and one and a half. All that
 * recurs in step wakes the process together, which for a hundred timers costs less than what they do.
 */
export const delayInStep = (nowMs: number, periodMs: number): number =>
  (Math.round(nowMs / periodMs) + 1) * periodMs - nowMs;

/** Time of day in milliseconds since 1970, for what people read. Never used for durations. */
export interface WallClock {
  epochMs(): number;
}

/** Uniform in [0, 1). */
export type RandomSource = () => number;
