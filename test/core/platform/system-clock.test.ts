import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../../electron/core/platform/system-clock.ts';

/**
 * Longest delay: Node runs a timer of a longer one after one millisecond, with a warning. The timers of this
 * test do the same.
 */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

describe('systemClock.setTimeout', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  it.each([3e9, LONGEST_TIMER_MS + 1, Number.MAX_SAFE_INTEGER, Number.MAX_VALUE, Infinity])(
    'runs a task of a delay of %d ms as late as a timer can, not at once',
    (delayMs) => {
      const task = vi.fn<() => void>();
      systemClock.setTimeout(task, delayMs);
      vi.advanceTimersByTime(LONGEST_TIMER_MS - 1);
      expect(task).not.toHaveBeenCalled();
      vi.advanceTimersByTime(1);
      expect(task).toHaveBeenCalledOnce();
    },
  );

  it.each([2, 60_000, LONGEST_TIMER_MS])('runs a task of a delay of %d ms then', (delayMs) => {
    const task = vi.fn<() => void>();
    systemClock.setTimeout(task, delayMs);
    vi.advanceTimersByTime(delayMs - 1);
    expect(task).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(task).toHaveBeenCalledOnce();
  });

  it('runs no task that was disposed of', () => {
    const task = vi.fn<() => void>();
    systemClock.setTimeout(task, 3e9).dispose();
    vi.advanceTimersByTime(LONGEST_TIMER_MS);
    expect(task).not.toHaveBeenCalled();
  });
});
