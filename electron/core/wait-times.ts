import type { Absence } from './absence.ts';

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
  /** Since when the window stands still; undefined while it runs. The longest time at all runs on. */
  heldSinceMs?: number | undefined;
}

export function beginWait(nowMs: number): Wait {
  return { startedAtMs: nowMs, lastProgressAtMs: nowMs, backAtMs: -Infinity, absentMs: 0 };
}

/**
 * We ourselves were absent: there is one new full window from now on, and as much more time at all. After a few windows in a
 * row only the lateness is added.
 */
export function excuse(wait: Wait, { absentMs, lateMs, opensWindow }: Absence, nowMs: number): void {
  wait.backAtMs = opensWindow ? nowMs : windowBeganAt(wait) + lateMs;
  wait.absentMs += opensWindow ? absentMs : lateMs;
}

/** The window stands still from now on. */
export function hold(wait: Wait, nowMs: number): void {
  wait.heldSinceMs ??= nowMs;
}

/** The window goes on, with as much of it left as there was. */
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
