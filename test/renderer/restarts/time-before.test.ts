import { describe, expect, it } from 'vitest';
import { curvesBefore } from '../../../renderer/restarts/end-curves.tsx';
import { windowBefore, figuresBefore } from '../../../renderer/restarts/end-details.tsx';
import type { Series } from '../../../shared/history.ts';
import { aReply, aSeries } from '../builders.ts';

const series = (index: number[], values: number[], metric: Series['metric'] = 'memoryBytes') =>
  aSeries('one', metric, index, values);
const limits = { server: 'one', maxMemoryMiB: 1, maxCpuPercent: 80, maxOpenFiles: 10 };
const window = { from: 1000, to: 101_000 };
const reply = (...all: Series[]) =>
  aReply({
    ...{ ...window, stepMs: 1000, resolution: 'sample', series: all },
    limits: [
      { ...limits, from: 0 },
      { ...limits, maxMemoryMiB: 2, from: 50_000 },
    ],
  });

const local = { name: 'one', transport: 'stdio' } as const;

describe('the curves of the time before an end', () => {
  it('have a gap where no look was for longer than the slowest pace', () => {
    const [memory] = curvesBefore(reply(series([0, 15, 31], [1, 2, 3])), local, window, Infinity);
    expect(memory?.data.rows.map(({ average }) => average)).toEqual([1, 2, null, 3]);
    expect(memory?.data.rows[0]).toEqual({ at: 1000, average: 1, least: 1, most: 1 });
  });

  it('have no gap between round trips of a remote server, which is asked now and then', () => {
    const trips = reply(series([0, 30, 60], [1, 2, 3], 'rttMs'));
    const curves = curvesBefore(trips, { name: 'one', transport: 'http' }, window, Infinity);
    expect(curves.map(({ data }) => data.rows.map(({ average }) => average))).toEqual([[1, 2, 3]]);
  });

  it('break at the end of the run, because the next one begins anew', () => {
    const [memory] = curvesBefore(reply(series([0, 1, 2], [7, 8, 1])), local, window, 2500);
    expect(memory?.data.rows.map(({ average }) => average)).toEqual([7, 8, null, 1]);
  });

  it('show each limit for the time that it was in force', () => {
    const [memory] = curvesBefore(reply(series([1], [2 ** 20])), local, window, Infinity);
    expect(memory?.limits.map(({ from, to, words }) => [from, to, words])).toEqual([
      [0, 50_000, 'limit 1 MiB'],
      [50_000, Infinity, 'limit 2 MiB'],
    ]);
    expect(memory?.data.isBanded).toBe(false);
  });

  it('are of memory and CPU only, and none where nothing is kept', () => {
    const kept = reply(series([0], [1]), series([0], [1], 'cpuPercent'), series([0], [1], 'openFiles'));
    expect(curvesBefore(kept, local, window, 0).map(({ figure }) => figure.id)).toEqual(['memory', 'cpu']);
    expect(curvesBefore(reply(series([], [])), local, window, 0)).toEqual([]);
    expect(curvesBefore(reply(), local, window, 0)).toEqual([]);
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
