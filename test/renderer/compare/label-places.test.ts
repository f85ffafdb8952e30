import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { labelPlaces } from '../../../renderer/compare/compare-charts.tsx';

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
