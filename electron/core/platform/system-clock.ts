import { performance } from 'node:perf_hooks';
import type { Clock, WallClock } from '../clock.ts';

/** 24.8 days. Node runs a timer of a longer delay at once, with a warning; here it runs after this time. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The clocks of this machine. */
export const systemClock: Clock & WallClock = {
  now: () => performance.now(),
  epochMs: () => Date.now(),
  setTimeout: (task, delayMs) => {
    const timer = setTimeout(task, Math.min(delayMs, LONGEST_TIMER_MS));
    return { dispose: () => clearTimeout(timer) };
  },
};
