import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../electron/core/platform/system-clock.ts';
import { tinyServer } from '../../fixtures/fixture-server.ts';
import { eventually } from '../support/eventually.ts';
import { panelOfTest } from './panel-of-test.ts';

describe('a panel that is held up', () => {
  it('writes down for how long and by what, and knows how late its loop was', async () => {
    let skewMs = 0;
    const now = () => systemClock.now() + skewMs;
    const { panel } = await panelOfTest(
      { alpha: tinyServer() },
      { clock: { ...systemClock, now }, cpuTimeMs: now },
    );
    // The listener stands for a window that is slow to take the first push.
    const undo = panel.onPush(() => {
      undo();
      skewMs += 3000;
    });
    panel.start();
    const held = () => panel.getSnapshot().events.filter((event) => event.kind === 'panel-blocked');
    await eventually(() => held().length > 0);
    expect(held()).toMatchObject([{ server: null, detail: { currentTask: 'tell-window', count: 1 } }]);
    expect(held()[0]?.detail.durationMs).toBeGreaterThanOrEqual(3000);
    expect(panel.loopLateness()?.maxMs).toBeGreaterThan(2000);
  });

  it('says nothing of its lateness where nobody watches it', async () => {
    const { panel } = await panelOfTest({});
    expect(panel.loopLateness()).toBeUndefined();
  });
});
