import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callMinuteSchema, callOutcomes, type CountedOutcome } from '../../../../shared/call-figures.ts';
import { CallMinutes } from '../../../../electron/core/telemetry/calls/call-book.ts';
import { HOUR_MS, MINUTE_MS } from '../../../../shared/units.ts';
import { propertyRuns } from '../../../support/property-runs.ts';

const START_MS = 30_000_000 * MINUTE_MS;

const call = (outcome: CountedOutcome, durationMs = 10) => ({ outcome, durationMs });

describe('CallMinutes', () => {
  it('counts what ends in a minute, what of it are errors, and how long it took', () => {
    const minutes = new CallMinutes();
    for (const durationMs of [10, 20, 1000]) minutes.add(call('result', durationMs), START_MS);
    minutes.add(call('error', 40), START_MS + 1);
    minutes.add(call('result', 7), START_MS + MINUTE_MS);
    const [first, second, ...others] = minutes.since(0, START_MS + MINUTE_MS);
    expect(first).toMatchObject({ at: START_MS, calls: 4, errors: 1, durations: { maxMs: 1000 } });
    expect(first?.durations?.p50Ms).toBeCloseTo(20, -0.5);
    expect(second).toStrictEqual({
      at: START_MS + MINUTE_MS,
      calls: 1,
      errors: 0,
      durations: { p50Ms: 7, p95Ms: 7, maxMs: 7 },
    });
    expect(others).toEqual([]);
  });

  it.each<[CountedOutcome, { errors: number; isTimed: boolean }]>([
    ['result', { errors: 0, isTimed: true }],
    ['error', { errors: 1, isTimed: true }],
    ['timeout', { errors: 1, isTimed: true }],
    ['lost', { errors: 1, isTimed: false }],
    ['cancelled', { errors: 0, isTimed: false }],
  ])('takes a call that ended as %s for what it is', (outcome, { errors, isTimed }) => {
    const minutes = new CallMinutes();
    minutes.add(call(outcome, 5), START_MS);
    const durations = { p50Ms: 5, p95Ms: 5, maxMs: 5 };
    expect(minutes.since(0, START_MS)).toStrictEqual([
      { at: START_MS, calls: 1, errors, ...(isTimed && { durations }) },
    ]);
  });

  it('leaves out minutes without calls, and those over an hour old', () => {
    const minutes = new CallMinutes();
    for (const minute of [0, 1, 61]) minutes.add(call('result'), START_MS + minute * MINUTE_MS);
    const at = (nowMs: number) => minutes.since(0, nowMs).map((row) => (row.at - START_MS) / MINUTE_MS);
    // Minute 1 ended an hour ago when minute 62 begins.
    expect(at(START_MS + 61 * MINUTE_MS)).toEqual([1, 61]);
    expect(at(START_MS + 62 * MINUTE_MS)).toEqual([61]);
    expect(at(START_MS + 200 * MINUTE_MS)).toEqual([]);
  });

  it('gives a minute that goes on once more, and none that was over', () => {
    const minutes = new CallMinutes();
    for (const minute of [0, 1, 2]) minutes.add(call('result'), START_MS + minute * MINUTE_MS);
    const now = START_MS + 2.5 * MINUTE_MS;
    expect(minutes.since(START_MS + MINUTE_MS, now).map(({ at }) => at)).toEqual([
      START_MS + MINUTE_MS,
      START_MS + 2 * MINUTE_MS,
    ]);
  });

  it('does not open the minute before once more when the clock is put right by seconds', () => {
    const minutes = new CallMinutes();
    minutes.add(call('result'), START_MS + 1000);
    minutes.add(call('result'), START_MS - 1000);
    expect(minutes.since(0, START_MS)).toMatchObject([{ at: START_MS, calls: 2 }]);
  });

  it('drops what a clock that was set back will tell again', () => {
    const minutes = new CallMinutes();
    for (const minute of [0, 10, 20]) minutes.add(call('result'), START_MS + minute * MINUTE_MS);
    minutes.add(call('result'), START_MS + 5 * MINUTE_MS);
    expect(minutes.since(0, START_MS + 5 * MINUTE_MS).map(({ at }) => (at - START_MS) / MINUTE_MS)).toEqual([
      0, 5,
    ]);
  });

  it('keeps at most an hour of minutes in order, whatever the clock does', () => {
    const step = fc.record({
      aheadMs: fc.oneof(
        fc.integer({ min: 0, max: 3 * MINUTE_MS }),
        fc.constant(0),
        fc.constant(2 * HOUR_MS),
        fc.integer({ min: -HOUR_MS, max: 0 }),
      ),
      outcome: fc.constantFrom(...callOutcomes),
      durationMs: fc.double({ min: 0, max: 1e6, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 200 }), (steps) => {
        const minutes = new CallMinutes();
        let nowMs = START_MS;
        for (const { aheadMs, ...ended } of steps) {
          nowMs += aheadMs;
          minutes.add(ended, nowMs);
          const rows = minutes.since(0, nowMs);
          expect(rows.length).toBeGreaterThan(0);
          expect(rows.length).toBeLessThanOrEqual(61);
          expect(rows.map(({ at }) => at)).toEqual(
            [...new Set(rows.map(({ at }) => at))].toSorted((a, b) => a - b),
          );
          for (const row of rows) {
            expect(callMinuteSchema.parse(row)).toStrictEqual(row);
            expect(row.errors).toBeLessThanOrEqual(row.calls);
          }
        }
      }),
    );
  });

  it('loses no call of the hour while the clock goes forward', () => {
    const steps = fc.array(fc.integer({ min: 0, max: 30_000 }), { minLength: 1, maxLength: 100 });
    fc.assert(
      fc.property(steps, (stepsMs) => {
        const minutes = new CallMinutes();
        let nowMs = START_MS;
        for (const stepMs of stepsMs) minutes.add(call('result'), (nowMs += stepMs));
        const rows = minutes.since(0, nowMs);
        expect(rows.reduce((sum, { calls }) => sum + calls, 0)).toBe(stepsMs.length);
      }),
    );
  });
});

describe('the durations of a minute', () => {
  /** From a microsecond to a day, as many of each order of magnitude. */
  const duration = fc.double({ min: -3, max: 7.9, noNaN: true }).map((exponent) => 10 ** exponent);
  const durations = fc.array(fc.oneof(duration, fc.constant(0), fc.integer({ min: 0, max: 300 })), {
    minLength: 1,
    maxLength: 400,
  });
  /** The minute before, whose durations are forgotten, and the minute with these. */
  const durationsOf = (durationsMs: readonly number[]) => {
    const minutes = new CallMinutes();
    minutes.add(call('result', 1e9), START_MS - MINUTE_MS);
    for (const durationMs of durationsMs) minutes.add(call('result', durationMs), START_MS);
    return minutes.since(START_MS, START_MS)[0]!.durations!;
  };
  /** The nearest rank: the smallest duration that a part `quantile` of all does not exceed. */
  const exactMs = (durationsMs: readonly number[], quantile: number) =>
    durationsMs.toSorted((a, b) => a - b)[Math.ceil(quantile * durationsMs.length) - 1]!;

  it('are right to 2.5 %, or to 0.1 ms, the longest exactly, and none is above it or below the shortest', () => {
    fc.assert(
      fc.property(durations, (durationsMs) => {
        const { p50Ms, p95Ms, maxMs } = durationsOf(durationsMs);
        for (const [toldMs, quantile] of [
          [p50Ms, 0.5],
          [p95Ms, 0.95],
        ] as const) {
          const exact = exactMs(durationsMs, quantile);
          expect(Math.abs(toldMs - exact)).toBeLessThanOrEqual(Math.max(0.1, exact * 0.025) + 1e-9);
        }
        expect(maxMs).toBe(Math.max(...durationsMs));
        expect(p50Ms).toBeGreaterThanOrEqual(Math.min(...durationsMs));
        expect(p95Ms).toBeGreaterThanOrEqual(p50Ms);
        expect(p95Ms).toBeLessThanOrEqual(maxMs);
      }),
      { numRuns: propertyRuns(500) },
    );
  });

  it('over a day are told as the longest of them', () => {
    expect(durationsOf([200_000_000, 300_000_000, 400_000_000]).p50Ms).toBe(400_000_000);
  });
});
