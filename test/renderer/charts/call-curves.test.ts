import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CallMinute } from '../../../shared/call-figures.ts';
import { callCurves, latestP50Of } from '../../../renderer/charts/call-curves.ts';
import { callsOfMinutes } from './calls-of-minutes.ts';
import { MINUTE_MS } from '../../../shared/units.ts';
const START_MS = 1_800_000_000_000;
const window = { from: START_MS, to: START_MS + 10 * MINUTE_MS };

const aMinute = (minute: number, changes: Partial<CallMinute> = {}): CallMinute => ({
  at: START_MS + minute * MINUTE_MS,
  calls: 10,
  errors: 0,
  durations: { p50Ms: 20, p95Ms: 80, maxMs: 200 },
  ...changes,
});

const onlyCancelled = (minute: number): CallMinute => ({
  at: START_MS + minute * MINUTE_MS,
  calls: 1,
  errors: 0,
});

const callCurvesOf = (
  minutes: readonly CallMinute[],
  view: typeof window,
  absences: readonly (typeof window)[],
) => callCurves(callsOfMinutes(minutes), view, absences);

const pointsOf = (rows: readonly { at: number; average: number | null }[]) =>
  rows.map(({ at, average }) => [(at - START_MS) / MINUTE_MS, average]);

describe('the curves of calls', () => {
  it('are blocks of a minute with nothing in between, up to now', () => {
    const [calls] = callCurvesOf(
      [aMinute(1), aMinute(2, { calls: 4 }), aMinute(5, { calls: 2 })],
      window,
      [],
    );
    expect(pointsOf(calls!.data.rows)).toEqual([
      [1, 10],
      [2, 4],
      [3, 0],
      [5, 2],
      [6, 0],
      [10, 0],
    ]);
  });

  it('show the minute that goes on up to now, and of one at the left edge what is in view', () => {
    const [calls] = callCurvesOf([aMinute(-0.5), aMinute(9.5, { calls: 3 })], window, []);
    expect(pointsOf(calls!.data.rows)).toEqual([
      [0, 10],
      [0.5, 0],
      [9.5, 3],
      [10, 3],
    ]);
  });

  it('say nothing of a time in which nobody was there to see a call, and zero before and after it', () => {
    const absence = { from: START_MS + 3 * MINUTE_MS, to: START_MS + 4 * MINUTE_MS };
    const [calls] = callCurvesOf([aMinute(1), aMinute(6)], window, [absence]);
    expect(pointsOf(calls!.data.rows)).toEqual([
      [1, 10],
      [2, 0],
      [3, 0],
      [3, null],
      [4, 0],
      [6, 10],
      [7, 0],
      [10, 0],
    ]);
  });

  it('end with the block where nobody was there from its end on', () => {
    const absence = { from: START_MS + 1.5 * MINUTE_MS, to: window.to };
    const [calls] = callCurvesOf([aMinute(1)], window, [absence]);
    expect(pointsOf(calls!.data.rows)).toEqual([
      [1, 10],
      [2, 10],
      [2, null],
    ]);
  });

  it('mark the minutes with errors, and count them', () => {
    const [calls] = callCurvesOf(
      [aMinute(1), aMinute(2, { errors: 3 }), aMinute(4, { errors: 1 })],
      window,
      [],
    );
    expect(calls!.marks?.map(({ at, value }) => [(at - START_MS) / MINUTE_MS, value])).toEqual([
      [2.5, 10],
      [4.5, 10],
    ]);
    expect(calls!.told).toEqual(['peak 10 /min', '4 errors']);
    expect(calls!.at(START_MS + 2.2 * MINUTE_MS)).toBe('10 /min, 3 errors');
    expect(calls!.at(START_MS + 1.2 * MINUTE_MS)).toMatch(/^10 \/min at \d\d:\d\d$/);
    expect(calls!.at(START_MS + 3.2 * MINUTE_MS)).toMatch(/^0 \/min at /);
  });

  it('tell durations as p50 with a band up to p95, broken where a minute has none', () => {
    const minutes = [
      aMinute(1),
      onlyCancelled(2),
      aMinute(3, { durations: { p50Ms: 1500, p95Ms: 9000, maxMs: 70_000 } }),
    ];
    const [, duration] = callCurvesOf(minutes, window, []);
    expect(duration!.data.isBanded).toBe(true);
    expect(duration!.data.rows.map(({ least, average, most }) => [least, average, most])).toEqual([
      [20, 20, 80],
      [null, null, null],
      [1500, 1500, 9000],
    ]);
    expect(duration!.told).toEqual(['longest 1 m 10 s']);
    expect(duration!.at(START_MS + 3.5 * MINUTE_MS)).toBe('p95 9 s, p50 1.5 s');
    expect(duration!.at(START_MS + 2.5 * MINUTE_MS)).toMatch(/^no call at /);
    expect(latestP50Of(callsOfMinutes([...minutes, onlyCancelled(4)]))).toBe(1500);
  });

  it('tell durations from their average to the longest where an earlier launch saw some of the calls', () => {
    const known = callsOfMinutes([aMinute(1), aMinute(2)]);
    const [own, old] = known.buckets;
    const earlier = { ...known.buckets[0]!, averageMs: 30, maxMs: 200 };
    delete earlier.p50Ms;
    const buckets = [earlier, { ...old!, averageMs: 25 }, { ...own!, index: own!.index + 2 }];
    const [, duration] = callCurves({ ...known, buckets }, window, []);
    expect(duration!.parts).toEqual({ average: 'average', most: 'max' });
    expect(duration!.at(START_MS + 1.5 * MINUTE_MS)).toBe('avg 30 ms, max 200 ms');
    expect(duration!.data.rows.map(({ average }) => average)).toEqual([30, 25, 20]);
  });

  it('tell the minute that is not over yet within the time that has passed', () => {
    const now = START_MS + 1.25 * MINUTE_MS;
    const [, duration] = callCurvesOf([aMinute(0), aMinute(1)], { from: START_MS, to: now }, []);
    expect(pointsOf(duration!.data.rows)).toEqual([
      [0.5, 20],
      [1.125, 20],
    ]);
  });

  it('are not there without calls in the window, and no durations where all calls were cancelled', () => {
    expect(callCurvesOf([], window, [])).toEqual([]);
    expect(callCurvesOf([aMinute(-5), aMinute(20)], window, [])).toEqual([]);
    expect(callCurvesOf([onlyCancelled(1)], window, []).map(({ figure }) => figure.id)).toEqual(['calls']);
  });

  it('never run backwards, nor leave the window, whatever minutes there are', () => {
    const minute = fc.record({
      at: fc.integer({ min: -3, max: 13 }),
      calls: fc.integer({ min: 1, max: 1000 }),
      isTimed: fc.boolean(),
    });
    const absence = fc.tuple(
      fc.double({ min: -1, max: 11, noNaN: true }),
      fc.double({ min: 0, max: 3, noNaN: true }),
    );
    const byTime = { selector: ({ at }: { at: number }) => at, maxLength: 17 };
    fc.assert(
      fc.property(
        fc.uniqueArray(minute, byTime),
        fc.array(absence, { maxLength: 2 }),
        fc.double({ min: 0, max: 0.99, noNaN: true }),
        (minutes, away, shift) => {
          const view = { from: window.from + shift * MINUTE_MS, to: window.to + shift * MINUTE_MS };
          const rows = minutes
            .toSorted((a, b) => a.at - b.at)
            .map(({ at, calls, isTimed }) =>
              isTimed ? aMinute(at, { calls }) : { ...onlyCancelled(at), calls },
            );
          const absences = away.map(([from, length]) => ({
            from: START_MS + from * MINUTE_MS,
            to: START_MS + (from + length) * MINUTE_MS,
          }));
          const [calls] = callCurvesOf(rows, view, absences);
          const instants = calls?.data.rows.map(({ at }) => at) ?? [];
          expect(instants).toEqual(instants.toSorted((a, b) => a - b));
          for (const at of instants) {
            expect(at).toBeGreaterThanOrEqual(view.from);
            expect(at).toBeLessThanOrEqual(view.to);
          }
          const inView = rows.filter(({ at }) => at + MINUTE_MS > view.from && at < view.to);
          const peak = Math.max(0, ...inView.map(({ calls: most }) => most));
          expect(Math.max(0, ...(calls?.data.rows ?? []).map(({ most }) => most ?? 0))).toBe(peak);
        },
      ),
    );
  });
});
