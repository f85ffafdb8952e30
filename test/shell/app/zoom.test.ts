import { describe, expect, it } from 'vitest';
import {
  ACTUAL_SIZE_PERCENT,
  zoomAfter,
  zoomOrActualSize,
} from '../../../electron/shell/window/window-state.ts';

/** Sizes on the way from `percent` to where a step changes nothing. */
function way(percent: number, step: 'in' | 'out'): readonly number[] {
  const next = zoomAfter(percent, step);
  return next === percent ? [percent] : [percent, ...way(next, step)];
}

describe('zoomAfter', () => {
  it('goes from the actual size to double and to half, and no further', () => {
    expect(way(ACTUAL_SIZE_PERCENT, 'in')).toEqual([100, 110, 125, 150, 175, 200]);
    expect(way(ACTUAL_SIZE_PERCENT, 'out')).toEqual([100, 90, 80, 75, 67, 50]);
  });

  it('comes back by as many steps, and at once by a reset', () => {
    for (const percent of way(50, 'in')) {
      expect(zoomAfter(percent, 'reset')).toBe(ACTUAL_SIZE_PERCENT);
      if (percent < 200) expect(zoomAfter(zoomAfter(percent, 'in'), 'out')).toBe(percent);
    }
  });
});

describe('zoomOrActualSize', () => {
  it('takes the sizes that steps lead to, and nothing else', () => {
    for (const percent of way(50, 'in')) expect(zoomOrActualSize(percent)).toBe(percent);
    for (const value of [0, 99, 400, Number.NaN, '150', undefined])
      expect(zoomOrActualSize(value)).toBe(ACTUAL_SIZE_PERCENT);
  });
});
