import fc from 'fast-check';
import { expect, it } from 'vitest';
import { delayInStep } from '../../electron/core/clock.ts';

const period = fc.integer({ min: 25, max: 5000 });
const moment = fc.double({ min: 0, max: 1e9, noNaN: true });

it('leads to a multiple of the period, half a period to one and a half away', () => {
  fc.assert(
    fc.property(moment, period, (nowMs, periodMs) => {
      const delayMs = delayInStep(nowMs, periodMs);
      expect(delayMs).toBeGreaterThanOrEqual(periodMs / 2 - 1e-3);
      expect(delayMs).toBeLessThanOrEqual(periodMs * 1.5 + 1e-3);
      const steps = (nowMs + delayMs) / periodMs;
      expect(Math.abs(steps - Math.round(steps))).toBeLessThan(1e-3);
    }),
  );
});

it('keeps its step when a timer comes up a little early or late', () => {
  const due = 10 * 500;
  for (const offMs of [-200, -3, 0, 3, 200])
    expect(due + offMs + delayInStep(due + offMs, 500)).toBe(11 * 500);
});
