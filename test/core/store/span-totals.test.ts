import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { HistoryFile } from '../../../electron/core/store/file/history-file.ts';
import { readCalls } from '../../../electron/core/store/file/read-calls.ts';
import { readSeries } from '../../../electron/core/store/file/read-series.ts';
import { spanTotals, type MeasuredSteps } from '../../../shared/span-totals.ts';
import { batch, callAt, DAY_MS, HOUR_MS, look, MINUTE_MS, openHistory, START } from './history-fixture.ts';

const about = (value: number): unknown => expect.closeTo(value);

describe('what a span came to', () => {
  let history: HistoryFile;
  beforeEach(() => (history = openHistory()));

  const ask = (spanMs: number, now: number, maxBuckets: number) =>
    readSeries(
      history,
      {
        ...{ from: now - spanMs, to: now, servers: ['up', 'brief'], maxBuckets },
        metrics: ['cpuPercent'],
        withTotals: true,
      },
      now,
    ).totals;

  /** A panel that looks every `pace` seconds; `brief` runs in the first half minute of every ten minutes. */
  function run(from: number, to: number, paceMs: number) {
    for (let at = from; at < to; at += paceMs) {
      const isBrief = at % (10 * MINUTE_MS) < 30_000;
      const looks = [look(at, { up: { cpuPercent: 10 }, ...(isBrief && { brief: { cpuPercent: 60 } }) })];
      history.write(batch(at, { looks }));
    }
  }

  it('is an average over the time in which the panel ran, and beside it one over the time in which the server did', () => {
    const now = START + HOUR_MS;
    run(START, now, 10_000);
    expect(ask(HOUR_MS, now, 60)).toEqual([
      {
        server: 'up',
        metric: 'cpuPercent',
        average: about(10),
        whileRunning: about(10),
        peak: 10,
      },
      {
        server: 'brief',
        metric: 'cpuPercent',
        average: about(3),
        whileRunning: about(60),
        peak: 60,
      },
      { server: null, metric: 'cpuPercent', average: about(13), peak: about(70) },
    ]);
  });

  it('does not depend on the number of buckets, nor on how often the panel looked', () => {
    const now = START + 2 * HOUR_MS;
    run(START, START + HOUR_MS, 30_000);
    run(START + HOUR_MS, now, 5000);
    const wide = ask(2 * HOUR_MS, now, 400);
    for (const maxBuckets of [1, 7, 60, 240]) expect(ask(2 * HOUR_MS, now, maxBuckets)).toEqual(wide);
    expect(wide?.find(({ server }) => server === 'up')?.average).toBeCloseTo(10);
  });

  it('leaves out the time in which no panel ran, of which nothing is known', () => {
    run(START, START + HOUR_MS, 30_000);
    const now = START + DAY_MS;
    run(now - HOUR_MS, now, 30_000);
    expect(ask(DAY_MS, now, 100)?.[0]?.average).toBeCloseTo(10, 0);
  });

  it('knows the busiest minute of a week, however long the buckets are', () => {
    const now = START + 7 * DAY_MS - HOUR_MS;
    const calls = (at: number, count: number) =>
      history.write(batch(at, { calls: [{ ...callAt(at), calls: count, timed: 0 }] }));
    calls(START + MINUTE_MS, 4);
    calls(START + 3 * DAY_MS, 48);
    calls(START + 3 * DAY_MS + 2 * MINUTE_MS, 1);
    for (const maxBuckets of [10, 400])
      expect(readCalls(history, { from: START, to: now, maxBuckets }, now).busiest).toEqual({
        calls: 48,
        stepMs: MINUTE_MS,
      });
  });

  it('adds up to the whole, of which no server has more', () => {
    const stat = fc.record({
      index: fc.nat(9),
      count: fc.integer({ min: 1, max: 15 }),
      mean: fc.nat(1000),
      above: fc.nat(500),
    });
    const servers = fc.array(fc.uniqueArray(stat, { selector: ({ index }) => index, minLength: 1 }), {
      minLength: 1,
    });
    fc.assert(
      fc.property(servers, (all) => {
        const measured = all.map((steps, place): MeasuredSteps => ({
          server: `s${place}`,
          metric: 'memoryBytes',
          steps: steps.map(({ index, count, mean, above }) => ({
            ...{ index, count, sum: mean * count, max: mean + above },
          })),
          inUnit: (kept) => kept,
        }));
        const frame = {
          from: 0,
          stepMs: MINUTE_MS,
          looks: new Map([[3, 15]]),
          presence: [{ from: 0, to: 10 * MINUTE_MS }],
        };
        const totals = spanTotals(measured, frame);
        const whole = totals.find(({ server }) => server === null);
        const own = totals.filter(({ server }) => server !== null);
        expect(own).toHaveLength(all.length);
        expect(own.reduce((sum, { average }) => sum + average, 0)).toBeCloseTo(whole?.average ?? NaN);
        for (const { average, whileRunning = 0, peak } of own) {
          expect(average).toBeLessThanOrEqual(whileRunning + 1e-9);
          expect(whileRunning).toBeLessThanOrEqual(peak + 1e-9);
          expect(peak).toBeLessThanOrEqual((whole?.peak ?? 0) + 1e-9);
        }
      }),
    );
  });
});
