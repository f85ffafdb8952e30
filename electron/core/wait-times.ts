import type { Absence } from './absence.ts';

/** Limits of a wait. */
interface WaitLimits {
  /** Maximum milliseconds since the last sign of progress. */
  readonly windowMs: number;
  /** Maximum milliseconds of the whole wait. */
  readonly capMs: number;
}

/** State of a wait, in monotonic milliseconds. */
export interface Wait {
  readonly startedAtMs: number;
  lastProgressAtMs: number;
  /** End of the last gap in which the panel did not run; `-Infinity` if none. A resumed wait moves it forward by the pause. */
  backAtMs: number;
  /** Total length in ms of the gaps in which the panel did not run. The limit for the whole wait is extended by it. */
  absentMs: number;
  /**
   * Time since which the observation window (the time allowed without progress) is paused; undefined while it runs. The limit
   * for the whole wait is never paused.
   */
  heldSinceMs?: number | undefined;
}

export function beginWait(nowMs: number): Wait {
  return { startedAtMs: nowMs, lastProgressAtMs: nowMs, backAtMs: -Infinity, absentMs: 0 };
}

/**
 * Compensates for a gap in which the panel did not run: a full new observation window (time allowed without progress) begins,
 * and the limit for the whole wait is extended by the gap. After a few gaps in a row, both are extended only by the lateness
 * (`lateMs`).
 */
export function excuse(wait: Wait, { absentMs, lateMs, opensWindow }: Absence, nowMs: number): void {
  wait.backAtMs = opensWindow ? nowMs : windowBeganAt(wait) + lateMs;
  wait.absentMs += opensWindow ? absentMs : lateMs;
}

/** Pauses the observation window, which is the time span allowed without progress. */
export function hold(wait: Wait, nowMs: number): void {
  wait.heldSinceMs ??= nowMs;
}

/** Resumes the wait with the time that was left when it was paused. */
export function release(wait: Wait, nowMs: number): void {
  if (wait.heldSinceMs === undefined) return;
  const beganAtMs = windowBeganAt(wait);
  wait.backAtMs = beganAtMs + nowMs - Math.max(wait.heldSinceMs, beganAtMs);
  wait.heldSinceMs = undefined;
}

export function windowEndsAt(wait: Wait, { windowMs }: WaitLimits): number {
  return wait.heldSinceMs === undefined ? windowBeganAt(wait) + windowMs : Infinity;
}

const windowBeganAt = (wait: Wait): number => Math.max(wait.lastProgressAtMs, wait.backAtMs);

export function capEndsAt(wait: Wait, { capMs }: WaitLimits): number {
  return wait.startedAtMs + wait.absentMs + capMs;
}

export function waitEndsAt(wait: Wait, limits: WaitLimits): number {
  return Math.min(windowEndsAt(wait, limits), capEndsAt(wait, limits));
}
