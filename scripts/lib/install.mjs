import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { withDirectoryLock } from './directory-lock.mjs';
import { ScriptError } from './entry.mjs';
import { npmCommand } from './npm-command.mjs';
import { installPackages, readLock } from './npm-install.mjs';
import { checkoutCache, inModules, projectRoot } from './paths.mjs';
import { runCommand, runOnStderr } from './run-command.mjs';
import { hashContents, readStamp, writeStamp } from './stamp.mjs';

/** File with a hash of the installed packages' lockfile, in node_modules so that deleting that folder also deletes the file. */
const STAMP = inModules('.cache', 'mcp-control-panel-install');

/** Installs the packages of package-lock.json, unless they are already installed in exactly these versions. */
export async function ensureInstalled() {
  const wanted = hashContents(projectRoot, ['package-lock.json']);
  if (readStamp(STAMP) === wanted) return;
  await withDirectoryLock(
    join(checkoutCache, 'install.lock'),
    'installing packages in this checkout',
    async () => {
      if (readStamp(STAMP) === wanted) return;
      // After a manual `npm ci` there is no stamp, but npm's own record in node_modules shows which packages are installed.
      if (!holdsPackages(readLock('package-lock.json'), readLock('node_modules/.package-lock.json')))
        await installPackages();
      writeStamp(STAMP, wanted);
    },
  );
}

/**
 * True if every package of the lockfile is installed in its version. Packages for other platforms may be missing.
 * @param {import('./npm-install.mjs').Lock | undefined} wanted
 * @param {import('./npm-install.mjs').Lock | undefined} installed
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

/** Path of the pinned Node (the version in the lockfile), which may not be installed yet. */
export const pinnedNode = inModules('node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');

/** Returns the path of the pinned Node, which makes results independent of the machine. Call it after ensureInstalled(). */
export async function ensurePinnedNode() {
  if (existsSync(pinnedNode)) return pinnedNode;
  // An install without scripts (ignore-scripts) contains the package `node` but not its binary.
  const npm = npmCommand(['rebuild', 'node', '--ignore-scripts=false', '--loglevel=error']);
  await runOnStderr(npm.command, npm.args, npm.options);
  if (existsSync(pinnedNode)) return pinnedNode;
  throw new ScriptError(
    `The pinned Node is missing: "${pinnedNode}" was expected and not found.`,
    'Its install script must be allowed to run: npm rebuild node --ignore-scripts=false',
  );
}

/**
 * Runs a program of this checkout on the pinned Node, with its output on stdout, and returns its exit code.
 * @param {readonly string[]} args @param {import('./run-command.mjs').CommandOptions & { name: string }} options
 */
export async function runProgram(args, options) {
  await ensureInstalled();
  const node = await ensurePinnedNode();
  const { code } = await runCommand(node, args, { cwd: projectRoot, stdio: ['ignore', 1, 2], ...options });
  return code ?? 1;
}
