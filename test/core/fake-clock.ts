import { setImmediate as queueImmediate } from 'node:timers';
import { setImmediate } from 'node:timers/promises';
import type { Clock, WallClock } from '../../electron/core/clock.ts';

interface Timer {
  readonly dueMs: number;
  readonly task: () => void;
}

export interface FakeClock extends Clock, WallClock {
  /** Timers that have neither run nor been disposed of; 0 proves that nothing leaked. */
  readonly pending: number;
  /**
   * Moves both clocks by `ms`. Timers run in the order of their due times, then of their creation, each at its own
   * time. Promises settle before, between and after them, so that timers set up by an `await` are seen too.
   */
  advance(ms: number): Promise<void>;
  /** Does the same in one turn of the loop: what a timer has set up through a promise is there after it. */
  tick(ms: number): void;
  /**
   * Moves both clocks while nothing runs, as when the loop is blocked or the machine asleep: what fell due
   * runs late.
   */
  jump(ms: number): void;
  /** Sets the time of day; timers and durations do not notice. */
  setEpochMs(epochMs: number): void;
}

/** Both clocks of a test. They stand still until told to move; `now()` begins at 0. */
export function createFakeClock(startEpochMs = 1_800_000_000_000): FakeClock {
  const timers = new Set<Timer>();
  let nowMs = 0;
  let epochOffsetMs = startEpochMs;
  const runNext = (untilMs: number): boolean => {
    const next = earliest(timers, untilMs);
    if (!next) return false;
    timers.delete(next);
    nowMs = Math.max(nowMs, next.dueMs);
    next.task();
    return true;
  };
  return {
    now: () => nowMs,
    epochMs: () => epochOffsetMs + nowMs,
    setTimeout(task, delayMs) {
      const timer = { dueMs: nowMs + Math.max(0, delayMs), task };
      timers.add(timer);
      return { dispose: () => void timers.delete(timer) };
    },
    get pending() {
      return timers.size;
    },
    async advance(ms) {
      const untilMs = nowMs + ms;
      do await setImmediate();
      while (runNext(untilMs));
      nowMs = untilMs;
    },
    tick(ms) {
      const untilMs = nowMs + ms;
      while (runNext(untilMs));
      nowMs = untilMs;
    },
    jump: (ms) => void (nowMs += ms),
    setEpochMs: (epochMs) => (epochOffsetMs = epochMs - nowMs),
  };
}

/**
 * Runs `task` right after the first timer of the following `advance`, as input that comes in while the loop
 * runs its timers.
 */
export function behindTheNextTimer(task: () => void): void {
  queueImmediate(() => queueImmediate(task));
}

/** Earliest timer that is due. Timers of one instant keep the order of their creation because a set does. */
function earliest(timers: ReadonlySet<Timer>, untilMs: number): Timer | undefined {
  let first: Timer | undefined;
  for (const timer of timers) {
    if (timer.dueMs <= untilMs && (!first || timer.dueMs < first.dueMs)) first = timer;
  }
  return first;
}
