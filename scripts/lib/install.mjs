import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withDirectoryLock } from './directory-lock.mjs';
import { ScriptError } from './entry.mjs';
import { npmCommand } from './npm-command.mjs';
import { installPackages } from './npm-install.mjs';
import { checkoutCache, inModules, projectRoot } from './paths.mjs';
import { runOnStderr } from './run-command.mjs';
import { hashContents, readStamp, writeStamp } from './stamp.mjs';

/** Inside node_modules, so that deleting that folder deletes the claim as well. */
const STAMP = inModules('.cache', 'mcp-control-panel-install');

/** @typedef {{ packages?: Record<string, { version?: string, optional?: boolean, devOptional?: boolean, link?: boolean }> }} Lock */

/** Installs the packages of package-lock.json unless exactly these are there already. */
export async function ensureInstalled() {
  const wanted = hashContents(projectRoot, ['package-lock.json']);
  if (readStamp(STAMP) === wanted) return;
  await withDirectoryLock(
    join(checkoutCache, 'install.lock'),
    'installing packages in this checkout',
    async () => {
      if (readStamp(STAMP) === wanted) return;
      // A person's own `npm ci` leaves no stamp of ours but does leave npm's record of what it installed.
      if (!holdsPackages(readLock('package-lock.json'), readLock('node_modules/.package-lock.json')))
        await installPackages();
      writeStamp(STAMP, wanted);
    },
  );
}

/**
 * Whether everything the lockfile asks for is installed in its version. Packages for other platforms may be absent.
 * @param {Lock | undefined} wanted @param {Lock | undefined} installed
 */
export function holdsPackages(wanted, installed) {
  if (wanted?.packages === undefined || installed?.packages === undefined) return false;
  const found = installed.packages;
  return Object.entries(wanted.packages).every(([path, entry]) => {
    if (path === '' || entry.link) return true;
    const present = found[path];
    if (present === undefined) return entry.optional === true || entry.devOptional === true;
    return present.version === entry.version;
  });
}

/** @param {string} path @returns {Lock | undefined} */
function readLock(path) {
  try {
    return JSON.parse(readFileSync(join(projectRoot, path), 'utf8'));
  } catch {
    return undefined; // Not installed yet, or cut short: install again.
  }
}

/** Where the pinned Node is once it is installed. */
export const pinnedNode = inModules('node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');

/**
 * The Node that builds, lints and tests: the pinned one, so that results do not depend on what a machine has.
 * Call after ensureInstalled().
 */
export async function ensurePinnedNode() {
  if (existsSync(pinnedNode)) return pinnedNode;
  // An install that ran without scripts (ignore-scripts) has the package but not its binary.
  const npm = npmCommand(['rebuild', 'node', '--ignore-scripts=false', '--loglevel=error']);
  await runOnStderr(npm.command, npm.args, npm.options);
  if (existsSync(pinnedNode)) return pinnedNode;
  throw new ScriptError(
    `The pinned Node is missing: "${pinnedNode}" was expected and not found.`,
    'Its install script must be allowed to run: npm rebuild node --ignore-scripts=false',
  );
}
