import { describe, expect, it } from 'vitest';
import type { Clock } from '../../../../electron/core/clock.ts';
import { ALONE_MS, CallHold } from '../../../../electron/core/supervisor/liveness/probe-book.ts';
import { createFakeClock } from '../../fake-clock.ts';

const never = new Promise<never>(() => undefined);

describe('a call that is held back', () => {
  it('leaves with the answer to the question', async () => {
    const clock = createFakeClock();
    const hold = new CallHold(clock);
    hold.until(Promise.resolve());
    await clock.advance(0);
    expect(hold.current).toBeUndefined();
    expect(clock.pending).toBe(0);
  });

  it('leaves too late to excuse the question, even by a timer that fires early', async () => {
    const clock = createFakeClock();
    const early: Clock = {
      now: () => clock.now(),
      setTimeout: (run, ms) => clock.setTimeout(run, Math.max(0, ms - 1)),
    };
    const hold = new CallHold(early);
    const sentAtMs = clock.now();
    hold.until(never);
    while (hold.current !== undefined) await clock.advance(1);
    expect(clock.now() - sentAtMs).toBeGreaterThanOrEqual(ALONE_MS);
    expect(clock.now() - sentAtMs).toBeLessThan(1.1 * ALONE_MS);
  });

  it('leaves at once when nothing is watched any more', async () => {
    const clock = createFakeClock();
    const hold = new CallHold(clock);
    hold.until(never);
    hold.dispose();
    await clock.advance(0);
    expect(hold.current).toBeUndefined();
  });
});
