import { describe, expect, it } from 'vitest';
import { coalesce } from '../../../electron/shell/tray/coalesce.ts';
import { createFakeClock } from '../../core/fake-clock.ts';

describe('coalesce', () => {
  it('runs once for all requests of a window, however long they go on', async () => {
    const clock = createFakeClock();
    let runs = 0;
    const request = coalesce(clock, 100, () => (runs += 1));
    request();
    await clock.advance(60);
    request();
    expect(runs).toBe(0);
    await clock.advance(40);
    expect(runs).toBe(1);
    request();
    await clock.advance(100);
    expect(runs).toBe(2);
  });

  it('runs no more once disposed', async () => {
    const clock = createFakeClock();
    let runs = 0;
    const request = coalesce(clock, 100, () => (runs += 1));
    request();
    request.dispose();
    await clock.advance(1000);
    expect(runs).toBe(0);
  });
});
