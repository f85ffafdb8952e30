import { describe, expect, it } from 'vitest';
import type { PanelError } from '../../../../shared/error-codes.ts';
import { StartWatch } from '../../../../electron/core/supervisor/start/start-watch.ts';
import { createFakeClock } from '../../fake-clock.ts';

function watched(startTimeoutMs = 100, startMaxMs = 1000) {
  const clock = createFakeClock();
  const timeouts: { at: number; error: PanelError }[] = [];
  const onTimeout = (error: PanelError) => timeouts.push({ at: clock.now(), error });
  const watch = new StartWatch({ clock, startTimeoutMs, startMaxMs, onTimeout });
  return { clock, watch, timeouts };
}

describe('StartWatch', () => {
  it('expires after the time without progress, once, and leaves no timer', async () => {
    const { clock, timeouts } = watched();
    await clock.advance(99);
    expect(timeouts).toEqual([]);
    await clock.advance(10_000);
    expect(timeouts.map(({ at }) => at)).toEqual([100]);
    expect(timeouts[0]!.error).toMatchObject({
      code: 'START_TIMEOUT',
      message: expect.stringContaining('100 ms (startTimeoutMs)') as string,
    });
    expect(clock.pending).toBe(0);
  });

  it('waits on while there is progress, but never longer than the maximum', async () => {
    const { clock, watch, timeouts } = watched();
    for (let step = 0; step < 50; step += 1) {
      await clock.advance(60);
      watch.progressed();
    }
    expect(timeouts.map(({ at }) => at)).toEqual([1000]);
    expect(timeouts[0]!.error.message).toContain('1000 ms (startMaxMs)');
    expect(clock.pending).toBe(0);
  });

  it('counts the silence from the last progress', async () => {
    const { clock, watch, timeouts } = watched();
    await clock.advance(90);
    watch.progressed();
    await clock.advance(99);
    expect(timeouts).toEqual([]);
    await clock.advance(1);
    expect(timeouts.map(({ at }) => at)).toEqual([190]);
  });

  it('is capped at once where the maximum is the shorter of the two', async () => {
    const { clock, timeouts } = watched(500, 200);
    await clock.advance(200);
    expect(timeouts[0]!.error.message).toContain('startMaxMs');
  });

  it('is silent once disposed of, also when progress comes afterwards', async () => {
    const { clock, watch, timeouts } = watched();
    watch.dispose();
    watch.progressed();
    watch.dispose();
    expect(clock.pending).toBe(0);
    await clock.advance(10_000);
    expect(timeouts).toEqual([]);
  });
});
