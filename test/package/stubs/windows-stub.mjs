import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const PREFIX = 'x86_64-w64-mingw32';
const sources = import.meta.dirname;

/** Why no stub can be built here; undefined where one can. @returns {string | undefined} */
export function missingCompiler() {
  try {
    for (const tool of ['gcc', 'windres']) execFileSync(`${PREFIX}-${tool}`, ['--version']);
    return undefined;
  } catch {
    return 'the package for Windows needs a compiler: apt-get install gcc-mingw-w64-x86-64';
  }
}

/** Builds into `dist` what an unpacked Electron for Windows has that a packager looks at. @param {string} dist */
export function createWindowsStub(dist) {
  const resources = join(dist, 'resources');
  mkdirSync(resources, { recursive: true });
  writeFileSync(join(dist, 'LICENSE'), 'licence of Electron');
  writeFileSync(join(dist, 'LICENSES.chromium.html'), 'licences of Chromium');
  copyFileSync(join(sources, '../../../build/icon.ico'), join(dist, 'electron.ico'));
  const object = join(dist, 'electron.o');
  const run = (/** @type {string} */ tool, /** @type {readonly string[]} */ args) =>
    execFileSync(`${PREFIX}-${tool}`, [...args], { cwd: dist, stdio: 'pipe' });
  run('windres', ['-I', dist, join(sources, 'electron.rc'), '-o', object]);
  run('gcc', ['-O1', '-s', join(sources, 'electron.c'), object, '-o', join(dist, 'electron.exe')]);
}
