import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seriesRows } from '../../../renderer/charts/series.ts';

const STEP_MS = 60_000;
type Buckets = Parameters<typeof seriesRows>[1];
const buckets: Buckets = { from: 0, stepMs: STEP_MS };
const window = { from: 0, to: 100 * STEP_MS };
const flat = (index: readonly number[], value = 1) => ({
  index: [...index],
  avg: index.map(() => value),
  min: index.map(() => value),
  max: index.map(() => value),
});
const placesOf = (
  index: readonly number[],
  rules: Parameters<typeof seriesRows>[2] = { window, isSparse: false },
) =>
  seriesRows(flat(index), buckets, rules).rows.map(({ at, average }) =>
    average === null ? 'gap' : at / STEP_MS,
  );

describe('rows of the history', () => {
  it('stand in the middle of their buckets, with the least and the most around the average', () => {
    const { rows, isBanded } = seriesRows({ index: [2], avg: [5], min: [1], max: [9] }, buckets, {
      window,
      isSparse: false,
    });
    expect(rows).toEqual([{ at: 2.5 * STEP_MS, average: 5, least: 1, most: 9 }]);
    expect(isBanded).toBe(true);
  });

  it('break where a bucket is left out, because minutes and longer have a row whenever anything was measured', () => {
    expect(placesOf([0, 1, 3])).toEqual([0.5, 1.5, 'gap', 3.5]);
    expect(placesOf([0, 1, 3], { window, isSparse: true })).toEqual([0.5, 1.5, 3.5]);
  });

  it('of what is measured now and then break only where the panel was not running', () => {
    const absences = [{ from: 5 * STEP_MS, to: 6.5 * STEP_MS }];
    expect(placesOf([0, 3, 8], { window, isSparse: true, absences })).toEqual([0.5, 3.5, 'gap', 8.5]);
  });

  it('go on between samples that are as far apart as the slowest pace, where buckets are shorter than it', () => {
    const second = { from: 0, stepMs: 1000 };
    const gapsOf = (index: readonly number[]) =>
      seriesRows(flat(index), second, { window, isSparse: false }).rows.filter((row) => row.average === null)
        .length;
    expect(gapsOf([0, 5, 10, 15])).toBe(0);
    expect(gapsOf([0, 5, 21])).toBe(1);
  });

  it('leave out what lies beside the window, and begin with no gap', () => {
    const narrow = { from: 2 * STEP_MS, to: 5 * STEP_MS };
    expect(placesOf([0, 2, 3, 4, 7], { window: narrow, isSparse: false })).toEqual([2.5, 3.5, 4.5]);
    expect(placesOf([0, 4], { window: narrow, isSparse: false })).toEqual([4.5]);
  });

  it('stand within the window where it cuts a bucket, however little of it is shown', () => {
    const cut = { from: 2.8 * STEP_MS, to: 4.2 * STEP_MS };
    const places = placesOf([1, 2, 3, 4, 5], { window: cut, isSparse: false });
    expect(places.map((place) => Number(place).toFixed(3))).toEqual(['2.900', '3.500', '4.100']);
  });

  it('keep every bucket of the window once, in order, and its figures as they are', () => {
    const figure = fc.double({ min: 0, max: 1e12, noNaN: true });
    const bucket = fc.tuple(fc.nat(200), figure, figure, figure);
    fc.assert(
      fc.property(fc.uniqueArray(bucket, { selector: ([index]) => index }), (found) => {
        const sorted = found.toSorted(([a], [b]) => a - b);
        const series = {
          index: sorted.map(([index]) => index),
          avg: sorted.map(([, avg]) => avg),
          min: sorted.map(([, , min]) => min),
          max: sorted.map(([, , , max]) => max),
        };
        const rows = seriesRows(series, buckets, { window, isSparse: false }).rows;
        const inWindow = sorted.filter(([index]) => index < 100);
        expect(rows.filter((row) => row.average !== null)).toEqual(
          inWindow.map(([index, average, least, most]) => ({
            ...{ at: (index + 0.5) * STEP_MS, average, least, most },
          })),
        );
        const times = rows.map(({ at }) => at);
        expect(times).toEqual(times.toSorted((a, b) => a - b));
        const gaps = inWindow.filter(([index], place) => place > 0 && index - inWindow[place - 1]![0] > 1);
        expect(rows.length - inWindow.length).toBe(gaps.length);
      }),
    );
  });
});
