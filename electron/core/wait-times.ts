/** How long something is waited for. */
export interface WaitLimits {
  /** Longest time since the last sign of progress. */
  readonly windowMs: number;
  /** Longest time at all. */
  readonly capMs: number;
}

/** A wait as it stands, in monotonic time. */
export interface Wait {
  readonly startedAtMs: number;
  lastProgressAtMs: number;
  /** When we last came back from an absence of our own; `-Infinity` without one. */
  backAtMs: number;
  /** How long we were absent, all in all. */
  absentMs: number;
}

export function beginWait(nowMs: number): Wait {
  return { startedAtMs: nowMs, lastProgressAtMs: nowMs, backAtMs: -Infinity, absentMs: 0 };
}

/** We ourselves were absent: there is one new full window from now on, and as much more time at all. */
export function excuse(wait: Wait, absentMs: number, nowMs: number): void {
  wait.backAtMs = nowMs;
  wait.absentMs += absentMs;
}

export function windowEndsAt(wait: Wait, { windowMs }: WaitLimits): number {
  return Math.max(wait.lastProgressAtMs, wait.backAtMs) + windowMs;
}

export function capEndsAt(wait: Wait, { capMs }: WaitLimits): number {
  return wait.startedAtMs + wait.absentMs + capMs;
}

export function waitEndsAt(wait: Wait, limits: WaitLimits): number {
  return Math.min(windowEndsAt(wait, limits), capEndsAt(wait, limits));
}
