import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { note, ScriptError } from './entry.mjs';
import { findOnPath } from './paths.mjs';
import { captureCommand, runOnStderr } from './run-command.mjs';

/** Maximum rounds of installing packages. One is enough unless a package does not declare a dependency; then two are. */
const ROUNDS = 3;

/** Electron loads it by name at run time, so `ldd` does not list it everywhere. */
const OPENED_AT_RUN_TIME = ['libgtk-3.so.0'];

/**
 * Ensures that Electron finds its shared libraries, and that Xvfb exists if a display is needed. As root on Debian and its
 * derivatives it installs missing packages; otherwise it names the exact command.
 * @param {string} distPath @param {{ needsXvfb: boolean }} needs
 */
export async function ensureSystemPackages(distPath, { needsXvfb }) {
  if (process.platform !== 'linux') return;
  for (let round = 1; ; round += 1) {
    const libraries = await findMissingLibraries(distPath);
    const { packages, unknown } = packagesFor(libraries);
    if (needsXvfb && !findOnPath('Xvfb')) packages.push('xvfb');
    if (packages.length === 0 && unknown.length === 0) return;
    if (unknown.length > 0 || round === ROUNDS) throw new ScriptError(describeMissing(libraries, packages));
    await installPackages(libraries, packages);
  }
}

/** @param {string} distPath */
async function findMissingLibraries(distPath) {
  const names = readdirSync(distPath).filter((name) => name === 'electron' || /\.so(\.\d+)*$/.test(name));
  const files = names.map((name) => join(distPath, name));
  const { stdout } = await captureIfThere('ldd', files); // Without ldd, Electron itself reports what is missing.
  // Without the loader's list nothing is reported as missing, because it cannot be known.
  const listed = (await captureIfThere('ldconfig', ['-p'])).stdout;
  const unlisted = listed === '' ? [] : OPENED_AT_RUN_TIME.filter((name) => !listed.includes(name));
  return [...new Set([...missingLibraries(stdout), ...unlisted])];
}

/** @param {string} command @param {string[]} args */
async function captureIfThere(command, args) {
  // Ordinary accounts lack the folder of ldconfig on their PATH.
  const env = { ...process.env, PATH: `${process.env.PATH ?? ''}:/sbin:/usr/sbin` };
  try {
    return await captureCommand(command, args, { env });
  } catch (error) {
    if (error instanceof ScriptError) return { stdout: '' };
    throw error;
  }
}

/** @param {string[]} libraries @param {string[]} packages */
async function installPackages(libraries, packages) {
  if (!findOnPath('apt-get')) throw new ScriptError(describeMissing(libraries, packages));
  const isRoot = process.getuid?.() === 0;
  if (isRoot) {
    note(`installing system packages that Electron needs, with apt-get: ${packages.join(' ')}`);
    await runOnStderr('apt-get', ['update', '-q'], { isPatient: true }); // A failed update may still leave usable lists; otherwise the install reports it.
  }
  const names = await inThisRelease(packages);
  const install = ['install', '-y', '--no-install-recommends', ...names];
  if (!isRoot)
    throw new ScriptError(
      describeMissing(libraries, names),
      `Run: sudo apt-get update && sudo apt-get ${install.join(' ')}`,
    );
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const args = ['-q', '-o', 'DPkg::Lock::Timeout=300', ...install];
  const { code } = await runOnStderr('apt-get', args, { env, isPatient: true });
  if (code !== 0)
    throw new ScriptError(`System packages could not be installed.`, `Run: apt-get ${install.join(' ')}`);
}

/** @param {string[]} packages */
async function inThisRelease(packages) {
  const candidates = packages.flatMap((name) => [name, `${name}t64`]);
  const env = { ...process.env, LC_ALL: 'C' };
  const { stdout } = await captureCommand('apt-cache', ['policy', ...candidates], { env });
  return namesInRelease(packages, stdout);
}

/** @param {readonly string[]} libraries @param {readonly string[]} packages */
function describeMissing(libraries, packages) {
  const lacking =
    libraries.length > 0 ? `shared libraries (${libraries.join(', ')})` : 'a display server (Xvfb)';
  const named = packages.length > 0 ? `; on Debian and Ubuntu they are in: ${packages.join(' ')}` : '';
  return `Electron cannot start here: it needs ${lacking}${named}.`;
}

/** Debian's package of each shared library that Electron, its helpers or their dependencies may need. */
const PACKAGE_OF = /** @type {Record<string, string>} */ ({
  'libX11-xcb.so.1': 'libx11-xcb1',
  'libX11.so.6': 'libx11-6',
  'libXcomposite.so.1': 'libxcomposite1',
  'libXcursor.so.1': 'libxcursor1',
  'libXdamage.so.1': 'libxdamage1',
  'libXext.so.6': 'libxext6',
  'libXfixes.so.3': 'libxfixes3',
  'libXi.so.6': 'libxi6',
  'libXrandr.so.2': 'libxrandr2',
  'libXrender.so.1': 'libxrender1',
  'libXss.so.1': 'libxss1',
  'libXtst.so.6': 'libxtst6',
  'libasound.so.2': 'libasound2',
  'libatk-1.0.so.0': 'libatk1.0-0',
  'libatk-bridge-2.0.so.0': 'libatk-bridge2.0-0',
  'libatspi.so.0': 'libatspi2.0-0',
  'libcairo-gobject.so.2': 'libcairo-gobject2',
  'libcairo.so.2': 'libcairo2',
  'libcups.so.2': 'libcups2',
  'libdbus-1.so.3': 'libdbus-1-3',
  'libdrm.so.2': 'libdrm2',
  'libexpat.so.1': 'libexpat1',
  'libfontconfig.so.1': 'libfontconfig1',
  'libfreetype.so.6': 'libfreetype6',
  'libgbm.so.1': 'libgbm1',
  'libgcc_s.so.1': 'libgcc-s1',
  'libgdk-3.so.0': 'libgtk-3-0',
  'libgdk_pixbuf-2.0.so.0': 'libgdk-pixbuf-2.0-0',
  'libgio-2.0.so.0': 'libglib2.0-0',
  'libglib-2.0.so.0': 'libglib2.0-0',
  'libgmodule-2.0.so.0': 'libglib2.0-0',
  'libgobject-2.0.so.0': 'libglib2.0-0',
  'libgtk-3.so.0': 'libgtk-3-0',
  'libnotify.so.4': 'libnotify4',
  'libnspr4.so': 'libnspr4',
  'libnss3.so': 'libnss3',
  'libnssutil3.so': 'libnss3',
  'libpango-1.0.so.0': 'libpango-1.0-0',
  'libpangocairo-1.0.so.0': 'libpango-1.0-0',
  'libplc4.so': 'libnspr4',
  'libplds4.so': 'libnspr4',
  'libsecret-1.so.0': 'libsecret-1-0',
  'libsmime3.so': 'libnss3',
  'libssl3.so': 'libnss3',
  'libstdc++.so.6': 'libstdc++6',
  'libudev.so.1': 'libudev1',
  'libuuid.so.1': 'libuuid1',
  'libwayland-client.so.0': 'libwayland-client0',
  'libxcb-dri3.so.0': 'libxcb-dri3-0',
  'libxcb.so.1': 'libxcb1',
  'libxkbcommon.so.0': 'libxkbcommon0',
  'libxshmfence.so.1': 'libxshmfence1',
  'libz.so.1': 'zlib1g',
});

/** Returns the names that `ldd` could not find, each once. */
export function missingLibraries(/** @type {string} */ lddOutput) {
  const names = [...lddOutput.matchAll(/^[ \t]*(\S+) => not found/gm)].map((match) => String(match[1]));
  return [...new Set(names)].sort();
}

/** @param {readonly string[]} libraries */
export function packagesFor(libraries) {
  const packages = new Set(libraries.map((name) => PACKAGE_OF[name]).filter((name) => name !== undefined));
  return {
    packages: [...packages].sort(),
    unknown: libraries.filter((name) => PACKAGE_OF[name] === undefined),
  };
}

/**
 * Returns the names of the packages in this release. Since Debian 13 and Ubuntu 24.04 some end in "t64" (64-bit time); the old
 * name is gone or ambiguous, which apt refuses.
 * @param {readonly string[]} packages
 * @param {string} policy output of `apt-cache policy` for each name with and without the ending
 */
export function namesInRelease(packages, policy) {
  const installable = new Set();
  let name = '';
  for (const line of policy.split('\n')) {
    if (/^\S+:$/.test(line)) name = line.slice(0, -1);
    const candidate = line.trim();
    if (candidate.startsWith('Candidate: ') && candidate !== 'Candidate: (none)') installable.add(name);
  }
  return packages.map((name) =>
    !installable.has(name) && installable.has(`${name}t64`) ? `${name}t64` : name,
  );
}
