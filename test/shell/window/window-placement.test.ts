import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { placeOnScreens, type Rectangle } from '../../../electron/shell/window/window-state.ts';

const large: Rectangle = { x: 0, y: 0, width: 2560, height: 1440 };
const laptop: Rectangle = { x: 0, y: 25, width: 1440, height: 875 };
const right: Rectangle = { x: 2560, y: 0, width: 1280, height: 1024 };

const isInside = (one: Rectangle, other: Rectangle) =>
  one.x >= other.x &&
  one.y >= other.y &&
  one.x + one.width <= other.x + other.width &&
  one.y + one.height <= other.y + other.height;

describe('placeOnScreens', () => {
  it('leaves a window where it is wholly seen, over two screens as well', () => {
    const window = { x: 100, y: 50, width: 1280, height: 800 };
    expect(placeOnScreens(window, [large, right])).toEqual(window);
    const across = { ...window, x: 2000 };
    expect(placeOnScreens(across, [large, right])).toEqual(across);
  });

  it('leaves a window that a person has pushed out a little, where its title bar can be taken hold of', () => {
    const window = { x: -150, y: 700, width: 1280, height: 800 };
    expect(placeOnScreens(window, [large])).toEqual(window);
  });

  it('brings a window back that the screen shows only half of since it shrank', () => {
    const window = { x: 900, y: 300, width: 1280, height: 800 };
    expect(placeOnScreens(window, [laptop])).toEqual({ x: 160, y: 100, width: 1280, height: 800 });
  });

  it('makes a window smaller than the screen that is left', () => {
    const window = { x: 0, y: 0, width: 2560, height: 1440 };
    expect(placeOnScreens(window, [laptop])).toEqual(laptop);
  });

  it('brings a title bar out from under the panel of the desktop', () => {
    const window = { x: 100, y: 10, width: 1280, height: 800 };
    expect(placeOnScreens(window, [laptop])).toEqual({ ...window, y: 25 });
  });

  it('chooses the screen that shows most of the window', () => {
    const window = { x: 2500, y: 900, width: 1280, height: 800 };
    expect(placeOnScreens(window, [large, right])).toEqual({ x: 2560, y: 224, width: 1280, height: 800 });
  });

  it('knows no place for a window whose screen is gone', () => {
    expect(placeOnScreens({ ...right, width: 1000, height: 700 }, [laptop])).toBeUndefined();
    expect(placeOnScreens(laptop, [])).toBeUndefined();
  });

  it('shows at least 80 % of every window that it places, or puts it wholly on a screen', () => {
    const rectangle = fc.record({
      x: fc.integer({ min: -3000, max: 5000 }),
      y: fc.integer({ min: -2000, max: 3000 }),
      width: fc.integer({ min: 900, max: 3000 }),
      height: fc.integer({ min: 600, max: 2000 }),
    });
    fc.assert(
      fc.property(rectangle, (window) => {
        const placed = placeOnScreens(window, [large, right]);
        if (placed === undefined) return true;
        const isMoved = JSON.stringify(placed) !== JSON.stringify(window);
        if (isMoved) return [large, right].some((screen) => isInside(placed, screen));
        const seen = [large, right].reduce((sum, screen) => {
          const width =
            Math.min(window.x + window.width, screen.x + screen.width) - Math.max(window.x, screen.x);
          const height =
            Math.min(window.y + window.height, screen.y + screen.height) - Math.max(window.y, screen.y);
          return sum + Math.max(0, width) * Math.max(0, height);
        }, 0);
        return seen >= 0.8 * window.width * window.height && window.y >= 0;
      }),
    );
  });
});
