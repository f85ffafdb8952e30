import { performance } from 'node:perf_hooks';
import type { Clock, WallClock } from '../clock.ts';

/** The clocks of this machine. */
export const systemClock: Clock & WallClock = {
  now: () => performance.now(),
  epochMs: () => Date.now(),
  setTimeout: (task, delayMs) => {
    const timer = setTimeout(task, delayMs);
    return { dispose: () => clearTimeout(timer) };
  },
};
