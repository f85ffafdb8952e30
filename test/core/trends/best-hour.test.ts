import { describe, expect, it } from 'vitest';
import { bestHour } from '../../../electron/core/trends/best-hour.ts';
import { DAY_HOURS, HOUR_MS } from './made-up-histories.ts';

const hourOf = (at: number) => (at / HOUR_MS) % DAY_HOURS;

/** Hours of this many days for which `isSo` holds. */
const hoursOf = (days: number, isSo: (hour: number, day: number) => boolean): readonly number[] =>
  Array.from({ length: days * DAY_HOURS }, (_, hour) => hour)
    .filter((hour) => isSo(hour % DAY_HOURS, Math.floor(hour / DAY_HOURS)))
    .map((hour) => hour * HOUR_MS);

const always = () => true;

describe('the best hour to restart', () => {
  it('is the one in which nobody calls on most days, in the middle of a quiet time', () => {
    const called = hoursOf(30, (hour, day) => hour < 2 || hour > 4 || (hour === 3 && day < 2));
    expect(bestHour(hoursOf(30, always), new Set(called), hourOf)).toEqual({
      hour: 3,
      quietDays: 28,
      days: 30,
    });
  });

  it('is one in which the server runs', () => {
    const ran = hoursOf(20, (hour) => hour >= 8 && hour < 18);
    const called = hoursOf(20, (hour) => hour !== 12);
    expect(bestHour(ran, new Set(called), hourOf)).toEqual({ hour: 12, quietDays: 20, days: 20 });
  });

  it('is unknown where every hour has calls, and in the first week', () => {
    expect(
      bestHour(hoursOf(30, always), new Set(hoursOf(30, (_, day) => day % 3 === 0)), hourOf),
    ).toBeUndefined();
    expect(bestHour(hoursOf(6, always), new Set(), hourOf)).toBeUndefined();
  });
});
