import { describe, expect, it } from 'vitest';
import type { PanelError } from '../../../../shared/error-codes.ts';
import { StartWatch } from '../../../../electron/core/supervisor/start/start-watch.ts';
import { createFakeClock } from '../../fake-clock.ts';

function watched(startTimeoutMs = 100, startMaxMs = 1000) {
  const settings = { startTimeoutMs, startMaxMs };
  const clock = createFakeClock();
  const timeouts: { at: number; error: PanelError }[] = [];
  const onTimeout = (error: PanelError) => timeouts.push({ at: clock.now(), error });
  const watch = new StartWatch({ clock, settings: () => settings, onTimeout });
  return { clock, watch, timeouts, settings };
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
      message: 'The server showed no sign of progress for 100 ms while starting.',
      remedy: 'Read what it wrote to stderr, or raise "Startup timeout (silent)" in its configuration.',
      data: { setting: 'startTimeoutMs', limitMs: 100 },
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
    expect(timeouts[0]!.error.message).toContain('its handshake within 1 s.');
    expect(clock.pending).toBe(0);
  });

  it('waits on when the time without progress is raised meanwhile, counted from the last progress', async () => {
    const { clock, watch, timeouts, settings } = watched(100, 10_000);
    await clock.advance(50);
    watch.progressed();
    await clock.advance(99);
    settings.startTimeoutMs = 3000;
    await clock.advance(2900);
    expect(timeouts).toEqual([]);
    await clock.advance(1);
    expect(timeouts.map(({ at }) => at)).toEqual([3050]);
    expect(timeouts[0]!.error.data).toEqual({ setting: 'startTimeoutMs', limitMs: 3000 });
    expect(clock.pending).toBe(0);
  });

  it('waits on when the maximum is raised meanwhile, counted from the start', async () => {
    const { clock, watch, timeouts, settings } = watched(600, 1000);
    await clock.advance(500);
    watch.progressed();
    settings.startMaxMs = 1050;
    await clock.advance(549);
    expect(timeouts).toEqual([]);
    await clock.advance(1);
    expect(timeouts.map(({ at }) => at)).toEqual([1050]);
    expect(timeouts[0]!.error.data).toEqual({ setting: 'startMaxMs', limitMs: 1050 });
  });

  it.each(['startTimeoutMs', 'startMaxMs'] as const)('heeds a lowered %s within a second', async (limit) => {
    const { clock, timeouts, settings } = watched(60_000, 600_000);
    await clock.advance(10_500);
    settings[limit] = 5000;
    await clock.advance(1000);
    expect(timeouts).toHaveLength(1);
    expect(timeouts[0]!.error.data).toEqual({ setting: limit, limitMs: 5000 });
    expect(clock.pending).toBe(0);
  });

  it('gives a new window, and as much more time at all, when we ourselves were absent', async () => {
    const { clock, watch, timeouts } = watched(2000, 4000);
    await clock.advance(1900);
    clock.jump(60_000);
    await clock.advance(1500);
    expect(timeouts).toEqual([]);
    expect(watch.leftMs).toBeGreaterThan(0);
    await clock.advance(1000);
    expect(timeouts).toHaveLength(1);
    expect(clock.pending).toBe(0);
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
