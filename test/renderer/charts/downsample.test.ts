import { describe, expect, it } from 'vitest';
import { absencesOf } from '../../../renderer/charts/absences.ts';
import { peakOf, rowAt, toChartRows } from '../../../renderer/charts/downsample.ts';
import { aSample, anEvent } from '../builders.ts';

const window = { from: 0, to: 3_600_000 };
const memory = (sample: { memoryBytes?: number | undefined }) => sample.memoryBytes;
const series = (from: number, to: number, stepMs: number, figure = (at: number) => at) =>
  Array.from({ length: Math.floor((to - from) / stepMs) + 1 }, (_, index) => {
    const at = from + index * stepMs;
    return aSample(at, { memoryBytes: figure(at) });
  });

describe('toChartRows', () => {
  it('keeps every sample while there is one per bucket', () => {
    const { rows, isBanded } = toChartRows(series(0, 4000, 1000), memory, window, 1000);
    expect(rows.map((row) => row.average)).toEqual([0, 1000, 2000, 3000, 4000]);
    expect(rows.map((row) => row.at)).toEqual([0, 1000, 2000, 3000, 4000]);
    expect(isBanded).toBe(false);
  });

  it('turns a full bucket into its least, average and most', () => {
    const samples = [
      aSample(0, { memoryBytes: 10 }),
      aSample(1000, { memoryBytes: 40 }),
      aSample(2000, { memoryBytes: 10 }),
      aSample(10_000, { memoryBytes: 5 }),
    ];
    const { rows, isBanded } = toChartRows(samples.slice(0, 3), memory, window, 10_000);
    expect(rows).toEqual([{ at: 1000, average: 20, least: 10, most: 40 }]);
    expect(isBanded).toBe(true);
  });

  it('puts a null row where the data has a gap, and nowhere else', () => {
    const samples = [...series(0, 10_000, 1000), ...series(60_000, 65_000, 1000)];
    const { rows } = toChartRows(samples, memory, window, 1000);
    const gaps = rows.filter((row) => row.average === null);
    expect(gaps).toEqual([{ at: 35_000, average: null, least: null, most: null }]);
  });

  it('takes a sampler that slows from one to five seconds for slow, not for silent', () => {
    const samples = [...series(0, 10_000, 1000), ...series(15_000, 60_000, 5000)];
    const { rows } = toChartRows(samples, memory, window, 1000);
    expect(rows.every((row) => row.average !== null)).toBe(true);
  });

  it('finds a gap of a few seconds in samples of one second, and not in slower ones', () => {
    const isGapBetween = (first: ReturnType<typeof series>, second: ReturnType<typeof series>) =>
      toChartRows([...first, ...second], memory, window, 1000).rows.some((row) => row.average === null);
    expect(isGapBetween(series(0, 10_000, 1000), series(14_000, 20_000, 1000))).toBe(true);
    expect(isGapBetween(series(0, 10_000, 1000), series(12_500, 20_000, 1000))).toBe(false);
    expect(isGapBetween(series(0, 60_000, 5000), series(74_000, 99_000, 5000))).toBe(false);
    expect(isGapBetween(series(0, 60_000, 5000), series(76_000, 99_000, 5000))).toBe(true);
  });

  it('gives the newest sample the benefit of the doubt', () => {
    const steady = series(0, 10_000, 1000);
    const isBroken = (at: number) =>
      toChartRows([...steady, aSample(at)], memory, window, 1000).rows.some((row) => row.average === null);
    expect(isBroken(25_000)).toBe(false);
    expect(isBroken(25_001)).toBe(true);
  });

  it('takes a figure that could not be read for no sample', () => {
    const samples = [
      aSample(0, { memoryBytes: 1 }),
      { at: 1000, processCount: 1 },
      aSample(2000, { memoryBytes: 3 }),
    ];
    const { rows } = toChartRows(samples, memory, window, 1000);
    expect(rows.map((row) => row.average)).toEqual([1, 3]);
  });

  it('leaves out what lies beside the window', () => {
    const { rows } = toChartRows(series(0, 10_000, 1000), memory, { from: 3000, to: 5000 }, 1000);
    expect(rows.map((row) => row.at)).toEqual([3000, 4000, 5000]);
  });

  it('does not change a complete row when the window moves on', () => {
    const samples = series(0, 100_000, 1000, (at) => (at * 7919) % 1000);
    const first = toChartRows(samples, memory, { from: 20_000, to: 90_000 }, 10_000).rows;
    const later = toChartRows(samples, memory, { from: 30_000, to: 100_000 }, 10_000).rows;
    expect(later.slice(0, 6)).toEqual(first.slice(1, 7));
  });

  it('has no rows without samples', () => {
    expect(toChartRows([], memory, window, 1000)).toEqual({ rows: [], isBanded: false });
  });
});

describe('rowAt and peakOf', () => {
  const { rows } = toChartRows(
    [...series(0, 3000, 1000), ...series(60_000, 61_000, 1000)],
    memory,
    window,
    1000,
  );

  it('reads the nearest row within reach, never a gap', () => {
    expect(rowAt(rows, 1400, 2000)?.average).toBe(1000);
    expect(rowAt(rows, 31_500, 2000)).toBeUndefined();
  });

  it('knows the peak', () => {
    expect(peakOf(rows)).toBe(61_000);
    expect(peakOf([])).toBeUndefined();
  });

  it('find no peak below a figure that is newer than the curve', () => {
    expect(peakOf(rows, 70_000)).toBe(70_000);
    expect(peakOf(rows, 1)).toBe(61_000);
    expect(peakOf([], 1)).toBe(1);
  });
});

describe('an absence', () => {
  const asleep = anEvent('1', { kind: 'system-resumed', at: 8000, detail: { sleptMs: 3000 } });
  const off = anEvent('2', { kind: 'panel-started', at: 100_000, detail: { absentMs: 40_000 } });
  const gapsOf = (samples: ReturnType<typeof series>, isSparse: boolean) =>
    toChartRows(samples, memory, window, 1000, { absences: absencesOf([asleep, off]), ends: [], isSparse })
      .rows.filter((row) => row.average === null)
      .map(({ at }) => at);

  it('is as long as the event that ends it says, or none', () => {
    const unknown = anEvent('3', { kind: 'system-resumed', at: 9000 });
    expect(absencesOf([asleep, unknown, anEvent('4'), off])).toEqual([
      { from: 5000, to: 8000, reason: 'asleep' },
      { from: 60_000, to: 100_000, reason: 'not-running' },
    ]);
  });

  it('is a gap in a curve however short it was', () => {
    expect(gapsOf([...series(0, 5000, 1000), ...series(8000, 12_000, 1000)], false)).toEqual([6500]);
    expect(gapsOf(series(8000, 12_000, 1000), false)).toEqual([]);
  });

  it('is the only gap in a curve that is measured now and then', () => {
    const answers = [aSample(0), aSample(4000), aSample(10_000), aSample(50_000), aSample(120_000)];
    expect(gapsOf(answers, true)).toEqual([7000, 85_000]);
  });
});
