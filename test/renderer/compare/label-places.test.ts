import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { heightsOf, LABEL_PX, labelPlaces } from '../../../renderer/compare/compare-charts.tsx';
import { figures } from '../../../renderer/charts/figures.ts';
import { comparedMetrics } from '../../../renderer/compare/comparison.ts';
import { TITLE_PX } from '../../../renderer/charts/plot-frame.ts';

const APART = 16;
const HEIGHT = 120;

describe('labelPlaces', () => {
  it('leaves labels where they are wanted while none covers another', () => {
    expect(labelPlaces([100, 20, 60], HEIGHT, APART)).toEqual([100, 20, 60]);
  });

  it('moves labels of lines that end at one place apart, and keeps them within the height', () => {
    expect(labelPlaces([112, 112, 112], HEIGHT, APART)).toEqual([80, 96, 112]);
    expect(labelPlaces([0, 0], HEIGHT, APART)).toEqual([8, 24]);
  });

  it('keeps order, distance and height, whatever is wanted', () => {
    const places = fc.array(fc.double({ min: 0, max: HEIGHT, noNaN: true }), { maxLength: 6 });
    fc.assert(
      fc.property(places, (wanted) => {
        const placed = labelPlaces(wanted, HEIGHT, APART);
        const sorted = placed.toSorted((a, b) => a - b);
        for (const [index, place] of sorted.entries()) {
          expect(place).toBeGreaterThanOrEqual(APART / 2 - 1e-9);
          expect(place).toBeLessThanOrEqual(HEIGHT - APART / 2 + 1e-9);
          if (index > 0) expect(place - sorted[index - 1]!).toBeGreaterThanOrEqual(APART - 1e-9);
        }
        wanted.forEach((one, a) =>
          wanted.forEach((other, b) => {
            if (one < other) expect(placed[a]).toBeLessThan(placed[b]!);
          }),
        );
      }),
    );
  });
});

const charts = comparedMetrics.map((metric) => ({ figure: figures[metric] }));

const needed = (heights: readonly number[]) => heights.reduce((sum, px) => sum + px + TITLE_PX, 0);

describe('heights of the charts that are compared', () => {
  it('give memory and CPU more of the room', () => {
    const [memory, cpu, files, roundTrip] = heightsOf(charts, 1000, 3);
    expect(memory).toBe(cpu);
    expect(files).toBe(roundTrip);
    expect(memory! / files!).toBeCloseTo(1.5, 1);
  });

  it('stay within the room where it holds the least of all, and are never less', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 100, max: 2000 }),
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 6 }),
        (room, count, lines) => {
          const least = Math.max(72, lines * LABEL_PX - TITLE_PX);
          const heights = heightsOf(charts.slice(0, count), room, lines);
          expect(Math.min(...heights)).toBeGreaterThanOrEqual(least);
          if (room >= count * (least + TITLE_PX)) expect(needed(heights)).toBeLessThanOrEqual(room);
        },
      ),
    );
  });
});
