import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { instabilityAt } from '../../../electron/core/story/instability.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from './story-builders.ts';

const START = 1_700_000_000_000;
/** Ends so many hours after the start. */
const at = (...hours: readonly number[]) => hours.map((hour) => START + hour * HOUR_MS);
const hour = (hours: number) => START + hours * HOUR_MS;

describe('a server is unstable', () => {
  it('from the third unplanned end within 24 hours on', () => {
    expect(instabilityAt(at(0, 10), hour(11))).toBeUndefined();
    expect(instabilityAt(at(0, 10, 23.9), hour(25))).toStrictEqual({
      ends24h: 2,
      ends7d: 3,
      since: hour(23.9),
      lastEndAt: hour(23.9),
    });
    expect(instabilityAt(at(0, 10, 24), hour(24))).toBeUndefined();
  });

  it('from the fifth within seven days on, however far apart they are', () => {
    const weekly = at(0, 40, 80, 120);
    expect(instabilityAt(weekly, hour(121))).toBeUndefined();
    expect(instabilityAt([...weekly, hour(160)], hour(161))).toMatchObject({
      ends24h: 1,
      ends7d: 5,
      since: hour(160),
    });
    expect(instabilityAt([...weekly, hour(168)], hour(168))).toBeUndefined();
  });

  it('until a day passes without an unplanned end, and not a minute less', () => {
    const ends = at(0, 1, 2);
    expect(instabilityAt(ends, hour(26) - MINUTE_MS)).toMatchObject({ ends24h: 1, since: hour(2) });
    expect(instabilityAt(ends, hour(26))).toBeUndefined();
  });

  it('whatever the history is, exactly when the rule holds at an end after which no day was quiet', () => {
    const minutes = fc.array(fc.integer({ min: 0, max: 20 * 24 * 60 }), { maxLength: 40 });
    fc.assert(
      fc.property(minutes, fc.integer({ min: 0, max: 22 * 24 * 60 }), (offsets, nowOffset) => {
        const now = START + nowOffset * MINUTE_MS;
        const ends = offsets
          .map((offset) => START + offset * MINUTE_MS)
          .filter((end) => end <= now)
          .sort((a, b) => a - b);
        const within = (end: number, spanMs: number) =>
          ends.filter((other) => other > end - spanMs && other <= end).length;
        const isMany = (end: number, index: number) =>
          ends.slice(0, index + 1).filter((other) => other > end - DAY_MS).length >= 3 ||
          ends.slice(0, index + 1).filter((other) => other > end - 7 * DAY_MS).length >= 5;
        const isQuietAfter = (index: number) =>
          [...ends.slice(index + 1), now].some((next, place) => next - (ends[index + place] ?? 0) >= DAY_MS);
        const begins = ends.filter((end, index) => isMany(end, index) && !isQuietAfter(index));
        const found = instabilityAt(ends, now);
        expect(found?.since).toBe(begins[0]);
        if (found) {
          expect(found.ends24h).toBe(within(now, DAY_MS));
          expect(found.ends7d).toBe(within(now, 7 * DAY_MS));
        }
      }),
    );
  });
});
