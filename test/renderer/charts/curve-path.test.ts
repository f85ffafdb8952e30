import { describe, expect, it } from 'vitest';
import { curvePaths } from '../../../renderer/charts/curve-path.ts';
import type { ChartRow } from '../../../renderer/charts/downsample.ts';
import { limitPlaces } from '../../../renderer/charts/limits.ts';
import { tickLabels } from '../../../renderer/charts/axis.ts';
import { formatMemory } from '../../../renderer/format/figures.ts';

const scale = { xOf: (at: number) => at, yOf: (value: number) => 100 - value, baseY: 100 };
const row = (at: number, average: number, spread = 0): ChartRow => ({
  at,
  average,
  least: average - spread,
  most: average + spread,
});
const gap = (at: number): ChartRow => ({ at, average: null, least: null, most: null });
const rows = [row(0, 10), row(1, 20), gap(2), row(3, 30.4), row(4, 30)];

describe('the path of a curve', () => {
  it('goes from row to row, and never across a gap', () => {
    expect(curvePaths({ rows, isBanded: false }, 'line', scale)).toEqual({
      line: 'M0 90L1 80M3 69.6L4 70',
      area: '',
      band: '',
    });
  });

  it('closes each part of an area down to zero', () => {
    expect(curvePaths({ rows, isBanded: false }, 'area', scale).area).toBe(
      'M0 90L1 80V100H0ZM3 69.6L4 70V100H3Z',
    );
  });

  it('holds a count until it changes, and rounds it', () => {
    expect(curvePaths({ rows, isBanded: true }, 'steps', scale)).toEqual({
      line: 'M0 90H1V80M3 70H4V70',
      area: '',
      band: '',
    });
  });

  it('fills a block as wide as its time', () => {
    const { line, area } = curvePaths({ rows: rows.slice(0, 2), isBanded: false }, 'blocks', scale);
    expect([line, area]).toEqual(['M0 90H1V80', 'M0 90H1V80V100H0Z']);
  });

  it('has a band where a row stands for several samples', () => {
    const banded = { rows: [row(0, 10, 2), row(1, 20, 3)], isBanded: true };
    expect(curvePaths(banded, 'line', scale).band).toBe('M0 88L1 77L1 83L0 92Z');
  });

  it('is empty without a row', () => {
    expect(curvePaths({ rows: [], isBanded: false }, 'area', scale)).toEqual({
      line: '',
      area: '',
      band: '',
    });
  });
});

describe('limits of a strip', () => {
  const limit = (value: number, from = -Infinity) => ({ value, from, to: Infinity, words: `limit ${value}` });
  const window = { from: 0, to: 100 };

  it('are lines within the axis, and words alone beyond it', () => {
    const [within] = limitPlaces([limit(50)], { top: 100 }, window);
    expect(within).toMatchObject({ from: 0, to: 1, isWithin: true, words: 'limit 50' });
    const [beyond] = limitPlaces([limit(500)], { top: 100 }, window);
    expect(beyond).toMatchObject({ isWithin: false, isBelow: false, words: '↑ limit 500' });
  });

  it('leave out one that is beyond the axis and no longer in force', () => {
    const places = limitPlaces([limit(500), limit(50, 60)], { top: 100 }, window);
    expect(places.map(({ words, isLate }) => [words, isLate])).toEqual([['limit 50', true]]);
  });
});

describe('labels of a value axis', () => {
  const mib = (...values: number[]) => values.map((value) => value * 2 ** 20);
  const labels = (ticks: readonly number[]) => [...tickLabels(ticks, formatMemory).values()];

  it('name the unit once, at the top', () => {
    expect(labels(mib(0, 32, 64))).toEqual(['0', '32', '64 MiB']);
  });

  it('name it at each tick where there are two', () => {
    expect(labels(mib(0, 512, 1024))).toEqual(['0', '512 MiB', '1 GiB']);
  });
});
