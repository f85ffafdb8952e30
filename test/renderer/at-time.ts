import { onTestFinished, vi } from 'vitest';

/** Makes `Date.now()` stand still for the test, until it sets another time (`vi.setSystemTime`). */
export function atTime(at: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: at });
  onTestFinished(() => void vi.useRealTimers());
}
