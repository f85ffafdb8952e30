import { performance } from 'node:perf_hooks';
import { LONGEST_TIMER_MS, type Clock, type WallClock } from '../clock.ts';

export const systemClock: Clock & WallClock = {
  now: () => performance.now(),
  epochMs: () => Date.now(),
  setTimeout: (task, delayMs) => {
    const timer = setTimeout(task, Math.max(0, Math.min(delayMs, LONGEST_TIMER_MS)));
    return { dispose: () => clearTimeout(timer) };
  },
};
