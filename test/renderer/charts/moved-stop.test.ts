import { describe, expect, it } from 'vitest';
import { movedStop } from '../../../renderer/charts/moved-stop.ts';

const stops = [10, 20, 40, 50];

describe('a cursor that a key moves', () => {
  it('comes in at the last stop, and goes from stop to stop', () => {
    expect(movedStop(undefined, 'ArrowLeft', stops)).toBe(50);
    expect(movedStop(40, 'ArrowLeft', stops)).toBe(20);
    expect(movedStop(40, 'ArrowRight', stops)).toBe(50);
    expect(movedStop(50, 'ArrowRight', stops)).toBe(50);
  });

  it('goes to the next stop on its side from a gap, and leaves none out', () => {
    expect(movedStop(30, 'ArrowRight', stops)).toBe(40);
    expect(movedStop(30, 'ArrowLeft', stops)).toBe(20);
  });

  it('goes back to the last stop from behind it', () => {
    expect(movedStop(60, 'ArrowLeft', stops)).toBe(50);
    expect(movedStop(60, 'ArrowRight', stops)).toBe(50);
  });

  it('leaps and goes to the ends', () => {
    const many = Array.from({ length: 30 }, (_, index) => index);
    expect(movedStop(20, 'PageUp', many)).toBe(10);
    expect(movedStop(25, 'PageDown', many)).toBe(29);
    expect([movedStop(7, 'Home', many), movedStop(7, 'End', many)]).toEqual([0, 29]);
  });

  it('stays where it is for another key, and where there is nothing to stand on', () => {
    expect(movedStop(20, 'a', stops)).toBeUndefined();
    expect(movedStop(20, 'toString', stops)).toBeUndefined();
    expect(movedStop(20, 'Home', [])).toBeUndefined();
  });
});
