import { describe, expect, it } from 'vitest';
import { ABSENCE_MS, isQuietAt, seen, step, type Episode } from '../../../electron/core/alerts/episode.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

interface Moment {
  readonly atMs: number;
  /** What is seen at that moment; undefined where only time passes. */
  readonly holds?: boolean;
  readonly isQuiet?: boolean;
}

/** Moments at which an alert is sent. */
function sentAt(moments: readonly Moment[], rule: { lastsMinutes?: number; repeatHours?: number } = {}) {
  let episode: Episode | undefined;
  const sent: number[] = [];
  for (const { atMs, holds, isQuiet = false } of moments) {
    if (holds !== undefined) episode = seen(episode, holds, atMs);
    if (!episode) continue;
    const next = step(episode, { lastsMinutes: 0, repeatHours: 0, ...rule }, atMs, isQuiet);
    if (next.sends) sent.push(atMs);
    episode = next.episode;
  }
  return sent;
}

const lasting = (untilMs: number, everyMs = MINUTE): Moment[] =>
  Array.from({ length: untilMs / everyMs + 1 }, (_, index) => ({ atMs: index * everyMs, holds: true }));

describe('an alert', () => {
  it('is sent once for a condition that lasts, and again for the next one', () => {
    const next = 3 * HOUR;
    expect(
      sentAt([
        ...lasting(HOUR),
        { atMs: 2 * HOUR, holds: false },
        { atMs: 2 * HOUR + ABSENCE_MS },
        { atMs: next, holds: true },
      ]),
    ).toEqual([0, next]);
  });

  it('is not sent again for a condition that was away for less than a minute', () => {
    const back = ABSENCE_MS - 1;
    expect(
      sentAt([
        { atMs: 0, holds: true },
        { atMs: 0, holds: false },
        { atMs: back, holds: true },
      ]),
    ).toEqual([0]);
  });

  it('waits until the condition has lasted', () => {
    expect(sentAt(lasting(HOUR), { lastsMinutes: 10 })).toEqual([10 * MINUTE]);
    expect(
      sentAt([...lasting(9 * MINUTE), { atMs: 9 * MINUTE, holds: false }, { atMs: HOUR }], {
        lastsMinutes: 10,
      }),
    ).toEqual([]);
  });

  it('is repeated while the condition lasts, where that is wanted', () => {
    expect(sentAt(lasting(5 * HOUR), { repeatHours: 2 })).toEqual([0, 2 * HOUR, 4 * HOUR]);
  });
});

describe('quiet hours', () => {
  const at = (hours: number, minutes = 0) => new Date(2026, 10, 27, hours, minutes);

  it('may have midnight between them', () => {
    const night = { from: '22:00', to: '07:30' };
    expect([at(22), at(0), at(7, 29)].map((time) => isQuietAt(night, time))).toEqual([true, true, true]);
    expect([at(21, 59), at(7, 30), at(12)].map((time) => isQuietAt(night, time))).toEqual([
      false,
      false,
      false,
    ]);
  });

  it('are none if they are not set, or end where they begin', () => {
    expect(isQuietAt(undefined, at(3))).toBe(false);
    expect(isQuietAt({ from: '08:00', to: '08:00' }, at(8))).toBe(false);
    expect(isQuietAt({ from: '08:00', to: '12:00' }, at(9))).toBe(true);
  });
});
