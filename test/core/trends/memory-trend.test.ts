import { describe, expect, it } from 'vitest';
import { daysUntil, type Day } from '../../../electron/core/trends/line.ts';
import { memoryTrends } from '../../../electron/core/trends/memory-trend.ts';
import { DAY_HOURS, HOUR_MS, kinds, LIMIT_MIB, madeUp, madeUpLeak, MIB } from './made-up-histories.ts';
import { bestHour } from '../../../electron/core/trends/best-hour.ts';

const LIMIT = LIMIT_MIB * MIB;
const DAY_MS = DAY_HOURS * HOUR_MS;
const LEAKS = 200;
const EACH = 167;

const trendsUntil = (until: number, hours: readonly Day[]) => memoryTrends(daysUntil(until, hours), LIMIT);
const trendAt = (until: number, hours: readonly Day[]) => trendsUntil(until, hours).at(-1);

/** Hours with this memory in MiB on each of the days. */
const onDays = (...mib: readonly number[]): readonly Day[] =>
  mib.flatMap((one, day) =>
    Array.from({ length: DAY_HOURS }, (_, hour) => ({
      at: day * DAY_MS + hour * HOUR_MS,
      min: one * MIB,
      max: (one + 5) * MIB,
    })),
  );
const afterDays = (...mib: readonly number[]) => trendAt(mib.length * DAY_MS, onDays(...mib));

describe('the trend of memory', () => {
  it.each(Object.entries(kinds))('is never told of a history that is %s, on none of its days', (_, kind) => {
    const alarms = Array.from({ length: EACH }, (_, seed) => seed).filter((seed) => {
      const { hours, looksAt, openDays } = madeUp(kind, seed);
      const trends = trendsUntil(hours.at(-1)!.at - looksAt * HOUR_MS, hours);
      return trends.slice(openDays).some((trend) => trend !== undefined);
    });
    expect(alarms).toEqual([]);
  });

  describe('of leaks that take 12 to 60 days to the limit', () => {
    const found = Array.from({ length: LEAKS }, (_, seed) => {
      const { hours, startsAt, reachesLimitAt } = madeUpLeak(seed);
      for (let at = startsAt; at < (startsAt + reachesLimitAt) / 2; at += DAY_MS / 2) {
        const trend = trendAt(at, hours);
        if (trend) return { trend, startsAt, reachesLimitAt };
      }
      return undefined;
    });
    const told = found.filter((one) => one !== undefined);
    const share = (isSo: (one: (typeof told)[number]) => boolean) => told.filter(isSo).length / told.length;

    it('is told before half of the way in 95 of 100', () => {
      expect(told.length / LEAKS).toBeGreaterThanOrEqual(0.95);
    });

    it('says when the limit comes in nine of ten', () => {
      const isWithin = share(
        ({ trend: { limitFrom = Infinity, limitTo = 0 }, reachesLimitAt }) =>
          limitFrom <= reachesLimitAt && reachesLimitAt <= limitTo + DAY_MS,
      );
      expect(isWithin).toBeGreaterThanOrEqual(0.9);
    });

    it('begins within two days of the leak in nine of ten', () => {
      const isNear = share(({ trend, startsAt }) => Math.abs(trend.since - startsAt) <= 2 * DAY_MS);
      expect(isNear).toBeGreaterThanOrEqual(0.9);
    });
  });

  it('is told after five days with its pace, its begin, and the day of the limit', () => {
    expect(afterDays(100, 190, 280, 370)).toBeUndefined();
    const trend = afterDays(100, 190, 280, 370, 460);
    expect(trend).toMatchObject({
      perDayBytes: 90 * MIB,
      since: 0,
      limitBytes: LIMIT,
      confidence: 'likely',
    });
    // From 460 MiB at the start of the fifth day, 564 MiB are left.
    expect(trend?.limitAt).toBeCloseTo((4 + 564 / 90) * DAY_MS, -3);
    expect(trend?.limitFrom).toBeLessThan(trend?.limitAt ?? 0);
    expect(trend?.limitTo).toBeGreaterThan(trend?.limitAt ?? 0);
  });

  it('is clear after more than a week', () => {
    expect(afterDays(100, 150, 200, 250, 300, 350, 400, 450)?.confidence).toBe('clear');
  });

  it('begins where the memory began to rise', () => {
    expect(afterDays(100, 101, 99, 100, 100, 190, 280, 370, 460, 550)?.since).toBe(4 * DAY_MS);
  });

  it('is no longer told once the memory fell or stood still, and not when it rises again', () => {
    const before = [100, 150, 200, 250, 300, 350];
    expect(afterDays(...before)).toBeDefined();
    expect(afterDays(...before, 100)).toBeUndefined();
    expect(afterDays(...before, 351, 350, 351)).toBeUndefined();
    expect(afterDays(...before, 100, 200, 300, 400, 500, 600, 700)).toBeUndefined();
  });

  it('is told again after a restart at the limit, which was forecast', () => {
    const before = [100, 280, 460, 640, 820, 1000];
    expect(afterDays(...before, 100, 280, 460, 640, 820)).toMatchObject({
      perDayBytes: 180 * MIB,
      since: 6 * DAY_MS,
    });
  });

  it('is not told when the limit is months away, or of a few MiB', () => {
    expect(afterDays(40, 44, 48, 52, 56)).toBeUndefined();
    expect(afterDays(990, 992, 994, 996, 998)).toBeUndefined();
  });

  it('has no day of the limit once the memory is there', () => {
    const trend = afterDays(600, 710, 820, 930, 1040);
    expect(trend?.perDayBytes).toBe(110 * MIB);
    expect(trend).not.toHaveProperty('limitAt');
  });
});

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
