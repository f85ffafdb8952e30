import { mkdirSync, readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  ACTUAL_SIZE_PERCENT,
  loadWindowState,
  placeOnScreens,
  saveWindowState,
  zoomAfter,
} from '../../../electron/shell/window/window-state.ts';
import { makeNamedPipe, withNamedPipes } from '../../support/named-pipe.ts';
import { withModes } from '../../support/skip-on.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const screens = [
  { x: 0, y: 0, width: 1920, height: 1080 },
  { x: 1920, y: 0, width: 1280, height: 1024 },
];
const bounds = { x: 100, y: 50, width: 1000, height: 700 };
const byDefault = { width: 1280, height: 800 };

let folder: string;
let path: string;
let notices: string[];
const loadState = () => loadWindowState(path, screens, (line) => notices.push(line));
const load = () => loadState().bounds;
const save = (place = bounds, zoomPercent = 100, isToldOfTray = false) =>
  saveWindowState(path, { bounds: place, zoomPercent, isToldOfTray });

beforeEach(() => {
  folder = tempFolder('window-state-');
  path = join(folder, 'window.json');
  notices = [];
});

describe('loadWindowState', () => {
  it('returns what was saved, and saving leaves no other file', () => {
    save();
    expect(load()).toEqual(bounds);
    expect(readdirSync(folder)).toEqual(['window.json']);
  });

  it('has a default size for a first launch', () => {
    expect(load()).toEqual(byDefault);
  });

  it.each([
    '',
    '{',
    'null',
    '[]',
    '{"x":1}',
    '{"x":0,"y":0,"width":1e9,"height":700}',
    '{"x":"0","y":0,"width":1000,"height":700}',
  ])('ignores a damaged file: %s', (text) => {
    writeFileSync(path, text);
    expect(load()).toEqual(byDefault);
  });

  it.each([
    ['a screen that is gone', { ...bounds, x: 4000 }],
    ['no screen', { ...bounds, y: -3000 }],
    ['smaller than the window may be', { ...bounds, width: 200 }],
  ])('ignores a place on %s', (_words, stored) => {
    writeFileSync(path, JSON.stringify(stored));
    expect(load()).toEqual(byDefault);
  });

  it('moves what no screen shows enough of onto the screen that shows some of it', () => {
    save({ ...bounds, x: -960 });
    expect(load()).toEqual({ ...bounds, x: 0 });
  });
});

describe('that the person was told of the tray', () => {
  it('is kept with the window', () => {
    save();
    expect(loadState().isToldOfTray).toBe(false);
    save(bounds, 100, true);
    expect(loadState().isToldOfTray).toBe(true);
  });

  it('is not believed of a file that says something else', () => {
    writeFileSync(path, JSON.stringify({ ...bounds, isToldOfTray: 'yes' }));
    expect(loadState()).toMatchObject({ bounds, isToldOfTray: false });
  });
});

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

describe('the zoom', () => {
  it('comes back with the window, also where its place does not', () => {
    for (const zoomPercent of way(50, 'in')) {
      save({ ...bounds, x: 4000 }, zoomPercent);
      expect(loadState()).toMatchObject({ bounds: byDefault, zoomPercent });
    }
  });

  it('is the actual size at a first launch, and with a file of an earlier version', () => {
    expect(loadState().zoomPercent).toBe(100);
    writeFileSync(path, JSON.stringify(bounds));
    expect(loadState()).toMatchObject({ bounds, zoomPercent: 100 });
  });

  it.each([-1, 0, 3, 99, 101, 400, 1e9, '150', null, {}])(
    'is the actual size where the file says %j',
    (zoomPercent) => {
      writeFileSync(path, JSON.stringify({ ...bounds, zoomPercent }));
      expect(loadState()).toMatchObject({ bounds, zoomPercent: 100 });
    },
  );
});

describe('window.json that is none', () => {
  const isSetAside = (put: () => void) => {
    put();
    expect(load()).toEqual(byDefault);
    expect(notices).toEqual([expect.stringContaining(`It is kept as ${path}.aside.`)]);
    save();
    expect(load()).toEqual(bounds);
    expect(readdirSync(folder)).toEqual(['window.json', 'window.json.aside']);
  };

  it.each<[string, () => void]>([
    ['a folder', () => mkdirSync(path)],
    [
      '300 MB',
      () => {
        writeFileSync(path, '');
        truncateSync(path, 300 * 1024 * 1024);
      },
    ],
  ])('is set aside and said: %s', (_name, put) => isSetAside(put));

  it('is set aside and said: a named pipe', withNamedPipes, () => isSetAside(() => makeNamedPipe(path)));
});

describe('saveWindowState', () => {
  it('writes for the owner alone', withModes, () => {
    save();
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('removes what an earlier run was killed in the middle of writing', () => {
    writeFileSync(`${path}.tmp`, '{"x":');
    save();
    expect(readdirSync(folder)).toEqual(['window.json']);
  });

  it('does not fail where nothing can be written', () => {
    path = join(folder, 'missing', 'window.json');
    expect(() => save()).not.toThrow();
  });
});

type Rectangle = Parameters<typeof placeOnScreens>[0];
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
