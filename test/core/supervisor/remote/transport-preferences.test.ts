import { describe, expect, it } from 'vitest';
import { TransportPreferences } from '../../../../electron/core/supervisor/remote/transport-preferences.ts';
import { createFakeClock } from '../../fake-clock.ts';

describe('TransportPreferences', () => {
  it('forgets a choice after its time, however often it was confirmed', async () => {
    const clock = createFakeClock();
    const preferences = new TransportPreferences({ clock, ttlMs: 1000 });
    preferences.learn('a', 'sse');
    await clock.advance(600);
    preferences.learn('a', 'sse');
    await clock.advance(399);
    expect(preferences.first('a')).toBe('sse');
    await clock.advance(1);
    expect(preferences.first('a')).toBe('http');
    expect(preferences.size).toBe(0);
  });

  it('keeps a thousand at most, and drops the oldest first', () => {
    const preferences = new TransportPreferences({ clock: createFakeClock() });
    for (let key = 0; key <= 1000; key += 1) preferences.learn(String(key), 'sse');
    expect(preferences.size).toBe(1000);
    expect([preferences.first('0'), preferences.first('1'), preferences.first('1000')]).toEqual([
      'http',
      'sse',
      'sse',
    ]);
  });
});
