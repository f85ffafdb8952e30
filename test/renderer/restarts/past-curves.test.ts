import { describe, expect, it } from 'vitest';
import { figuresOf } from '../../../renderer/charts/chart-figures.ts';
import { curveOfSeries, figuresBefore, rowsOfSeries } from '../../../renderer/restarts/past-curves.ts';
import { windowBefore } from '../../../renderer/restarts/window-before.ts';
import type { Series, SeriesReply } from '../../../shared/history.ts';

const series = (index: number[], values: number[], metric: Series['metric'] = 'memoryBytes'): Series => ({
  server: 'one',
  metric,
  index,
  min: values,
  avg: values,
  max: values,
});
const limits = { server: 'one', maxMemoryMiB: 1, maxCpuPercent: 80, maxOpenFiles: 10 };
const reply = (...all: Series[]): SeriesReply => ({
  from: 1000,
  to: 101_000,
  stepMs: 1000,
  resolution: 'sample',
  series: all,
  absences: [],
  limits: [
    { ...limits, from: 0 },
    { ...limits, maxMemoryMiB: 2, from: 50_000 },
  ],
});
const window = { from: 1000, to: 101_000 };
const [memory] = figuresOf('stdio');

describe('a curve of what is kept', () => {
  it('has a gap where buckets are missing, and none where one came late', () => {
    const rows = rowsOfSeries(series([0, 2, 9], [1, 2, 3]), reply(), Infinity);
    expect(rows.map(({ average }) => average)).toEqual([1, 2, null, 3]);
    expect(rows[0]).toEqual({ at: 1500, average: 1, least: 1, most: 1 });
  });

  it('breaks at the end of the run, because the next one begins anew', () => {
    const rows = rowsOfSeries(series([0, 1, 2], [7, 8, 1]), reply(), 3000);
    expect(rows.map(({ average }) => average)).toEqual([7, 8, null, 1]);
  });

  it('shows each limit for the time that it was in force', () => {
    const curve = curveOfSeries(memory!, 'memoryBytes', reply(series([1], [2 ** 20])), window, Infinity);
    expect(curve?.limits.map(({ from, to, words }) => [from, to, words])).toEqual([
      [0, 50_000, 'limit 1 MiB'],
      [50_000, Infinity, 'limit 2 MiB'],
    ]);
    expect(curve?.data.isBanded).toBe(false);
  });

  it('is none where nothing is kept', () => {
    expect(curveOfSeries(memory!, 'memoryBytes', reply(series([], [])), window, 0)).toBeUndefined();
    expect(curveOfSeries(memory!, 'memoryBytes', reply(), window, 0)).toBeUndefined();
  });
});

describe('the figures before an end', () => {
  it('are of the last bucket that had begun by then, with the limits of that time', () => {
    const kept = reply(series([0, 20, 40], [1, 2, 3]), series([20], [50], 'cpuPercent'));
    expect(figuresBefore(kept, 30_000)).toMatchObject({
      at: 21_000,
      memoryBytes: 2,
      cpuPercent: 50,
      limits: { maxMemoryMiB: 1 },
    });
    expect(figuresBefore(kept, 60_000)).toMatchObject({ memoryBytes: 3, limits: { maxMemoryMiB: 2 } });
  });

  it('are none where nothing is kept of that time', () => {
    expect(figuresBefore(reply(series([], [])), 30_000)).toBeUndefined();
    expect(figuresBefore(reply(series([0], [1])), 10_000_000)).toBeUndefined();
  });
});

it('shows ten minutes before an end, and hours where only quarters of an hour are kept', () => {
  const now = 1_800_000_000_000;
  const spanOf = (at: number) => at - windowBefore(at, now).from;
  expect(spanOf(now - 86_400_000)).toBe(600_000);
  expect(spanOf(now - 30 * 86_400_000)).toBe(6 * 3_600_000);
});
