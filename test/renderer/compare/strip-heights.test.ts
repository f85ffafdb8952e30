import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { figures } from '../../../renderer/charts/figures.ts';
import { comparedMetrics } from '../../../renderer/compare/comparison.ts';
import { heightsOf, LABEL_PX } from '../../../renderer/compare/compare-charts.tsx';
import { TITLE_PX } from '../../../renderer/charts/plot-frame.ts';

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
