import { describe, expect, it } from 'vitest';
import { TransportPreferences } from '../../../../electron/core/supervisor/remote/transport-preferences.ts';
import { HOUR_MS } from '../../../../shared/units.ts';
import { createFakeClock } from '../../fake-clock.ts';

describe('TransportPreferences', () => {
  it('forgets a choice after its time, however often it was confirmed', async () => {
    const clock = createFakeClock();
    const preferences = new TransportPreferences(clock);
    preferences.learn('a', 'sse');
    await clock.advance(0.6 * HOUR_MS);
    preferences.learn('a', 'sse');
    await clock.advance(0.4 * HOUR_MS - 1);
    expect(preferences.first('a')).toBe('sse');
    await clock.advance(1);
    expect(preferences.first('a')).toBe('http');
  });

  it('keeps a thousand at most, and drops the oldest first', () => {
    const preferences = new TransportPreferences(createFakeClock());
    for (let key = 0; key <= 1000; key += 1) preferences.learn(String(key), 'sse');
    expect([preferences.first('0'), preferences.first('1'), preferences.first('1000')]).toEqual([
      'http',
      'sse',
      'sse',
    ]);
  });
});
