import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { note, ScriptError } from './entry.mjs';
import { missingLibraries, namesInRelease, packagesFor } from './linux-packages.mjs';
import { captureCommand, runOnStderr } from './run-command.mjs';

/** A further round is needed only if a package does not declare a dependency; two rounds are enough. */
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
    if (needsXvfb && !isOnPath('Xvfb')) packages.push('xvfb');
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
  if (!isOnPath('apt-get')) throw new ScriptError(describeMissing(libraries, packages));
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

/** @param {string} name */
function isOnPath(name) {
  return (process.env.PATH ?? '')
    .split(':')
    .some((folder) => folder !== '' && existsSync(join(folder, name)));
}
