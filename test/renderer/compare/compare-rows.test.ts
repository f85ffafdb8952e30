import { describe, expect, it } from 'vitest';
import { compareRows } from '../../../renderer/compare/compare-rows.ts';

const span = { from: 0, to: 600_000, stepMs: 60_000, absences: [] };
const series = (...index: number[]) => ({
  server: 'a',
  metric: 'rttMs' as const,
  index,
  min: index.map(() => 1),
  avg: index.map(() => 2),
  max: index.map(() => 3),
});

describe('compareRows', () => {
  it('stand in the middle of their buckets, the last in the middle of what there is of it', () => {
    const rows = compareRows(series(0, 1), { ...span, to: 90_000 }, false);
    expect(rows).toEqual([
      { at: 30_000, average: 2, least: 1, most: 3 },
      { at: 75_000, average: 2, least: 1, most: 3 },
    ]);
  });

  it('are cut where a bucket has no figure', () => {
    const averages = compareRows(series(0, 1, 4), span, false).map(({ average }) => average);
    expect(averages).toEqual([2, 2, null, 2]);
  });

  it('go on over short buckets that a slow sampler leaves empty', () => {
    const rows = compareRows(series(0, 5, 10, 30), { ...span, to: 60_000, stepMs: 1000 }, false);
    expect(rows.map(({ average }) => average)).toEqual([2, 2, 2, null, 2]);
  });

  it('of what is measured now and then are cut only where the panel was not running', () => {
    const absences = [{ from: 300_000, to: 400_000 }];
    const averages = compareRows(series(0, 3, 8), { ...span, absences }, true).map(({ average }) => average);
    expect(averages).toEqual([2, 2, null, 2]);
  });
});
