import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

const files = ['shared', 'electron', 'renderer'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name)),
);

/** Files of the app whose code, without its comments, holds what `pattern` finds. */
function filesWith(pattern: RegExp): string[] {
  return files
    .filter((file) =>
      pattern.test(readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\/|(?<![:'"])\/\/.*$/gm, '')),
    )
    .map((file) => relative(root, file).split(sep).join('/'));
}

describe('what opens a door', () => {
  it('is looked for where there is something to find', () => {
    expect(files.length).toBeGreaterThan(100);
    expect(filesWith(/\bspawn\w*\(/).length).toBeGreaterThan(0);
  });

  it.each<[string, RegExp, string[]]>([
    ['a shell for a command', /shell: *true|\b(exec|execSync)\b[^}]*} from 'node:child_process'/, []],
    [
      'a link or a file given to the system',
      /\b(openExternal|openPath|showItemInFolder)\(/,
      ['electron/shell/app/open-core.ts'],
    ],
    [
      'markup from a text',
      /dangerouslySetInnerHTML|innerHTML|outerHTML|insertAdjacentHTML|document\.write/,
      [],
    ],
    ['code from a text', /\beval\(|new Function\(|executeJavaScript\(/, []],
    [
      'IPC beside the contract',
      /ipcMain\.(handle|on)|webContents\.send\(/,
      ['electron/shell/ipc/ipc-server.ts'],
    ],
    ['ipcRenderer beside the preload', /\bipcRenderer\b/, ['electron/preload.ts']],
    ['a weakened engine', /(allowRunningInsecureContent|experimentalFeatures|enableBlinkFeatures)\s*:/, []],
    [
      'a weakened page',
      /(nodeIntegration|webviewTag)\w*: true|(sandbox|contextIsolation|webSecurity): false/,
      [],
    ],
    ['the updater', /['"]electron-updater['"]/, ['electron/shell/updates/update-engine.ts']],
    ['the file that holds the updater, on demand', /update-engine\.ts['"]/, ['electron/shell/app-calls.ts']],
    ['the updater without being asked', /from ['"][^'"]*update-engine\.ts['"]/, []],
    ['a switch of Chromium', /appendSwitch\(/, ['electron/shell/app/graphics.ts']],
  ])('%s is used only where it is reviewed', (_what, pattern, places) => {
    expect(filesWith(pattern)).toEqual(places);
  });
});
