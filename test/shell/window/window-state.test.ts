import { mkdirSync, readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { loadWindowState, saveWindowState } from '../../../electron/shell/window/window-state.ts';
import { makeNamedPipe, withNamedPipes } from '../../support/named-pipe.ts';
import { skipOn } from '../../support/skip-on.ts';
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

describe('the zoom', () => {
  it('comes back with the window, also where its place does not', () => {
    save({ ...bounds, x: 4000 }, 150);
    expect(loadState()).toMatchObject({ bounds: byDefault, zoomPercent: 150 });
  });

  it('is the actual size at a first launch, and with a file of an earlier version', () => {
    expect(loadState().zoomPercent).toBe(100);
    writeFileSync(path, JSON.stringify(bounds));
    expect(loadState()).toMatchObject({ bounds, zoomPercent: 100 });
  });

  it.each([-1, 0, 3, 101, 1e9, '150', null, {}])(
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
  it('writes for the owner alone', skipOn('win32', 'Windows has no mode bits'), () => {
    save();
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('removes what an earlier run was killed in the middle of writing', () => {
    writeFileSync(`${path}.tmp`, '{"x":');
    save();
    expect(readdirSync(folder)).toEqual(['window.json']);
  });

  it('does not fail where nothing can be written', () => {
    const unwritable = () =>
      saveWindowState(join(folder, 'missing', 'window.json'), {
        bounds,
        zoomPercent: 100,
        isToldOfTray: false,
      });
    expect(() => unwritable()).not.toThrow();
  });
});
