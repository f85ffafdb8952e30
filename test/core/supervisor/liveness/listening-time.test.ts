import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ListeningTime } from '../../../../electron/core/supervisor/liveness/listening-time.ts';

const WINDOW = 4000;

/** Comes `lateMs` late at `nowMs`. */
const late = (time: ListeningTime, nowMs: number, lateMs: number) =>
  time.wasAbsent({ absentMs: lateMs, lateMs }, nowMs, WINDOW);

describe('ListeningTime', () => {
  it('begins a new window with an absence, three times in a row, and then takes off the lateness', () => {
    const time = new ListeningTime(0);
    expect([1, 2, 3, 4, 5].map((second) => late(time, second * 2000, 1500))).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
    expect(time.windowStartMs).toBe(6000);
    expect(time.since(0, 10_000)).toBe(4000 - 2 * 1500);
    // What began between two absences loses the later one only.
    expect(time.since(8200, 10_000)).toBe(1800 - 1500);
    expect(time.since(9000, 10_000)).toBe(0);
  });

  it('begins new windows again after one without an absence, and after a sleep', () => {
    const time = new ListeningTime(0);
    for (let second = 1; second <= 5; second += 1) late(time, second * 2000, 1500);
    expect(late(time, 10_000 + WINDOW + 1500, 1500)).toBe(true);
    for (let second = 10; second <= 14; second += 1) late(time, second * 2000, 1500);
    time.slept(40_000);
    expect(late(time, 40_100, 50)).toBe(true);
  });

  it('never counts more than has passed within the window, nor less than nothing', () => {
    const absence = fc.record({
      afterMs: fc.integer({ min: 1, max: 9000 }),
      lateMs: fc.integer({ min: 0, max: 9000 }),
    });
    fc.assert(
      fc.property(fc.array(absence, { maxLength: 300 }), fc.nat(1_000_000), (absences, atMs) => {
        const time = new ListeningTime(0);
        let nowMs = 0;
        for (const { afterMs, lateMs } of absences) late(time, (nowMs += afterMs), Math.min(lateMs, afterMs));
        const since = time.since(Math.min(atMs, nowMs), nowMs);
        expect(since).toBeGreaterThanOrEqual(0);
        expect(since).toBeLessThanOrEqual(nowMs - time.windowStartMs);
      }),
    );
  });
});
