import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { note, ScriptError } from './entry.mjs';
import { findOnPath } from './paths.mjs';
import { captureCommand, runOnStderr } from './run-command.mjs';

/**
 * Maximum rounds of searching for missing libraries and installing their packages. One round is usually enough. A second one is
 * needed if a package does not declare one of its own dependencies.
 */
const ROUNDS = 3;

/** Libraries that Electron loads by name at run time, checked separately because `ldd` does not list them on every system. */
const OPENED_AT_RUN_TIME = ['libgtk-3.so.0'];

/**
 * Ensures that Electron finds its shared libraries, and that Xvfb exists if a display is needed. Missing packages are installed
 * if this runs as root on Debian or a derivative; otherwise the user is shown the exact command.
 * @param {string} distPath
 * @param {{ needsXvfb: boolean }} needs
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
  const { stdout } = await captureIfThere('ldd', files); // If ldd is missing, Electron itself reports missing libraries.
  // If ldconfig lists nothing (because it is missing, for example), it is unknown which libraries exist, so none of these is
  // reported as missing.
  const listed = (await captureIfThere('ldconfig', ['-p'])).stdout;
  const unlisted = listed === '' ? [] : OPENED_AT_RUN_TIME.filter((name) => !listed.includes(name));
  return [...new Set([...missingLibraries(stdout), ...unlisted])];
}

/** @param {string} command @param {string[]} args */
async function captureIfThere(command, args) {
  // The PATH of ordinary accounts lacks the folder of ldconfig.
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
    await runOnStderr('apt-get', ['update', '-q'], { isPatient: true }); // After a failed update the package lists may still be usable. If not, the install reports it.
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

/** Shared libraries that Electron, its helpers or their dependencies may need, with packages named by Debian's usual rule. */
const USUAL = new Set(
  `
    libX11-xcb.so.1 libX11.so.6 libXcomposite.so.1 libXcursor.so.1 libXdamage.so.1 libXext.so.6
    libXfixes.so.3 libXi.so.6 libXrandr.so.2 libXrender.so.1 libXss.so.1 libXtst.so.6 libasound.so.2
    libcairo-gobject.so.2 libcairo.so.2 libcups.so.2 libdbus-1.so.3 libdrm.so.2 libexpat.so.1
    libfontconfig.so.1 libfreetype.so.6 libgbm.so.1 libgcc_s.so.1 libgdk_pixbuf-2.0.so.0 libgtk-3.so.0
    libnotify.so.4 libnspr4.so libnss3.so libpango-1.0.so.0 libsecret-1.so.0 libstdc++.so.6 libudev.so.1
    libuuid.so.1 libwayland-client.so.0 libxcb-dri3.so.0 libxcb.so.1 libxkbcommon.so.0 libxshmfence.so.1
  `.split(/\s+/),
);
/** Package of each library whose package is not named by Debian's usual rule. */
const OTHERS = /** @type {Record<string, string>} */ ({
  'libatk-1.0.so.0': 'libatk1.0-0',
  'libatk-bridge-2.0.so.0': 'libatk-bridge2.0-0',
  'libatspi.so.0': 'libatspi2.0-0',
  'libgdk-3.so.0': 'libgtk-3-0',
  'libgio-2.0.so.0': 'libglib2.0-0',
  'libglib-2.0.so.0': 'libglib2.0-0',
  'libgmodule-2.0.so.0': 'libglib2.0-0',
  'libgobject-2.0.so.0': 'libglib2.0-0',
  'libnssutil3.so': 'libnss3',
  'libpangocairo-1.0.so.0': 'libpango-1.0-0',
  'libplc4.so': 'libnspr4',
  'libplds4.so': 'libnspr4',
  'libsmime3.so': 'libnss3',
  'libssl3.so': 'libnss3',
  'libz.so.1': 'zlib1g',
});

/** Returns the name of a library's package by Debian's rule: "libx11-6" for "libX11.so.6". @param {string} library */
function usualPackage(library) {
  const [name = '', version = ''] = library
    .toLowerCase()
    .replaceAll('_', '-')
    .split(/\.so\.?/, 2);
  return /\d$/.test(name) && version !== '' ? `${name}-${version}` : name + version;
}

/** @param {string} library */
function packageOf(library) {
  return USUAL.has(library) ? usualPackage(library) : OTHERS[library];
}

/** Returns the names that `ldd` could not find, without duplicates. */
export function missingLibraries(/** @type {string} */ lddOutput) {
  const names = [...lddOutput.matchAll(/^[ \t]*(\S+) => not found/gm)].map((match) => String(match[1]));
  return [...new Set(names)].sort();
}

/** @param {readonly string[]} libraries */
export function packagesFor(libraries) {
  const packages = new Set(libraries.map(packageOf).filter((name) => name !== undefined));
  return {
    packages: [...packages].sort(),
    unknown: libraries.filter((name) => packageOf(name) === undefined),
  };
}

/**
 * Returns the names that the given packages have in the installed release of Debian or Ubuntu. Since Debian 13 and Ubuntu
 * 24.04, some names end in "t64" (64-bit time). The old name is then missing or ambiguous, and apt refuses an ambiguous name.
 * @param {readonly string[]} packages
 * @param {string} policy output of `apt-cache policy` for each name, once without and once with "t64"
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
