import { describe, expect, it } from 'vitest';
import { isPausedAt, NOTIFICATION_PAUSE_MS } from '../../shared/notification-pause.ts';

describe('isPausedAt', () => {
  const now = 1_800_000_000_000;

  it('holds until the moment is there', () => {
    expect(isPausedAt({ pausedUntil: now + 1 }, now)).toBe(true);
    expect(isPausedAt({ pausedUntil: now }, now)).toBe(false);
    expect(isPausedAt({ pausedUntil: 0 }, now)).toBe(false);
  });

  it('does not believe a moment that no pause could have set', () => {
    expect(isPausedAt({ pausedUntil: now + NOTIFICATION_PAUSE_MS }, now)).toBe(true);
    expect(isPausedAt({ pausedUntil: now + NOTIFICATION_PAUSE_MS + 1 }, now)).toBe(false);
  });
});
