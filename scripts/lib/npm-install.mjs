import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { note } from './entry.mjs';
import { captureNpm } from './npm-command.mjs';
import { FEW_RETRIES, npmFailure, unreachable, registryCode } from './npm-problem.mjs';
import { checkoutCache, inModules, projectRoot } from './paths.mjs';
import { withProgress, sizeOf } from './progress.mjs';
import { describeExit } from './run-command.mjs';
import { setTimeout as delay } from 'node:timers/promises';

const WHAT = 'Installing packages';
/** npm's error when it cannot delete node_modules, because an aborted install has left files there or is still writing. */
const LEFTOVER_ERROR = /\bENOTEMPTY\b/;
const LEFTOVERS = 'removed-';
/**
 * Milliseconds that npm has to exit after it was asked to stop. The time is short because npm only uses it to undo its work,
 * which is useless: the next install starts from scratch.
 */
const GRACE_MS = 2_000;

/** Installs the packages of package-lock.json. Starts from scratch if remains of an earlier install prevent it. */
export async function installPackages() {
  await removeLeftovers();
  let result = await runInstall();
  if (result.code !== 0 && LEFTOVER_ERROR.test(result.stderr) && moveAside()) {
    note('an install that was cut short is in the way: installing afresh');
    await removeLeftovers();
    result = await runInstall();
  }
  if (result.code === 0) return;
  const registry = await registryInUse();
  const { refusal } = result;
  if (refusal?.isSilent) throw unreachable(WHAT, SILENCE, registry);
  throw npmFailure(WHAT, describeExit(result), refusal?.output ?? result.stderr + result.stdout, registry);
}

/** Returns the address of npm's registry, for error messages when npm's output does not contain it. */
async function registryInUse() {
  const { stdout } = await captureNpm(['config', 'get', 'registry', '--loglevel=silent']);
  return stdout.trim();
}

async function runInstall() {
  const verb = installVerb();
  // --include=dev is needed because the build tools are devDependencies, which NODE_ENV=production would leave out.
  const args = [...verb, '--include=dev', '--loglevel=error', ...FEW_RETRIES];
  const over = new AbortController();
  /** @type {ReturnType<typeof watchRegistry>} */
  let watch = Promise.resolve(undefined);
  const install = () =>
    captureNpm(args, {
      graceMs: GRACE_MS,
      onStart: (_child, group) => {
        const spec = firstPackage();
        if (spec === undefined) return;
        watch = watchRegistry(group, over.signal, { spec }).catch(() => undefined); // If the registry check itself fails, the install continues without it.
      },
    }).finally(() => over.abort());
  const result = await withProgress(`installing packages (npm ${verb[0]})`, install, {
    folders: [inModules()],
    hint: 'a few hundred megabytes, once',
  });
  return { ...result, refusal: result.code === 0 ? undefined : await watch };
}

/** Returns a package that the install will request from the registry, in the form "name@1.0.0". */
function firstPackage() {
  const { packages = {} } = readLock('package-lock.json') ?? {};
  const found = Object.entries(packages).find(([path, { version, optional, link }]) => {
    return /^node_modules[/][^@/]+$/.test(path) && version !== undefined && !optional && !link;
  });
  return found && `${found[0].slice('node_modules/'.length)}@${found[1].version}`;
}

/**
 * Returns npm's subcommand for the install. It is not always `npm ci`, because that deletes node_modules. On Windows this fails
 * while the Node in node_modules runs this script.
 */
function installVerb() {
  return process.platform === 'win32' && isRunFromModules() ? ['install', '--no-save'] : ['ci'];
}

/** Moves node_modules away, and returns whether this succeeded. A rename is fast and cannot stop half-way. */
function moveAside() {
  if (isRunFromModules()) return false;
  try {
    mkdirSync(checkoutCache, { recursive: true });
    renameSync(inModules(), join(checkoutCache, `${LEFTOVERS}${process.pid}`));
    return true;
  } catch {
    return false; // The folder is a mount point or on another disk. The user then sees npm's own message.
  }
}

/** Deletes the node_modules folders that were moved away, including those that an interrupted earlier run left. */
async function removeLeftovers() {
  if (!existsSync(checkoutCache)) return;
  const names = readdirSync(checkoutCache).filter((name) => name.startsWith(LEFTOVERS));
  for (const name of names) await rm(join(checkoutCache, name), { recursive: true, force: true });
}

function isRunFromModules() {
  return process.execPath.startsWith(inModules());
}

const ASK_LIMIT_MS = 10_000;
/**
 * Milliseconds between the registry's first failure and the second check. In this time, npm may still install from its cache.
 * The wait is shorter after a refusal, because a refusal is certain, while a missing answer may only be late.
 */
const PATIENCE_MS = { refused: 4_000, silent: 15_000 };

/**
 * Failure of the registry. `output` is npm's output; `isSilent` is true if there was no answer within ASK_LIMIT_MS.
 * @typedef {{ output: string, isSilent: boolean }} Refusal
 */
const SILENCE = `no answer within ${ASK_LIMIT_MS / 1000} s`;

/**
 * Ends an install if the registry fails and nothing was downloaded, because npm would retry each package for minutes. The check
 * requests a package from the lockfile instead of a ping, because many registries answer a ping differently.
 * @param {{ kill: () => void }} install
 * @param {AbortSignal} isOver aborted when the install has ended
 * @param {{ spec: string, patienceMs?: typeof PATIENCE_MS, folder?: string }} options `spec`: the package to request, in the
 * form "name@1.0.0"; `folder`: folder to which the install writes downloads
 * @returns {Promise<Refusal | undefined>} the failure for which the install was ended; undefined if it was not ended
 */
export async function watchRegistry(
  install,
  isOver,
  { spec, patienceMs = PATIENCE_MS, folder = inModules() },
) {
  const size = sizeOf([folder]);
  const first = await askRegistry(spec);
  if (first === undefined) return undefined;
  const patience = first.isSilent ? patienceMs.silent : patienceMs.refused;
  await delay(patience, undefined, { signal: isOver }).catch(() => undefined);
  if (isOver.aborted || sizeOf([folder]) !== size) return undefined;
  const refusal = await askRegistry(spec);
  if (isOver.aborted || refusal === undefined) return undefined;
  install.kill();
  return refusal;
}

/**
 * Asks the registry for a package. This is done through npm, so that the user's registry, proxy and certificates apply. Returns
 * undefined if the registry works. @returns {Promise<Refusal | undefined>}
 */
async function askRegistry(/** @type {string} */ spec) {
  const { stdout, stderr, isLate } = await captureNpm(
    ['view', spec, 'version', '--fetch-retries=0', '--loglevel=error'],
    { limitMs: ASK_LIMIT_MS },
  );
  const output = stderr + stdout;
  return isLate || registryCode(output) !== undefined ? { output, isSilent: isLate } : undefined;
}

/** @typedef {{ packages?: Record<string, { version?: string, optional?: boolean, devOptional?: boolean, link?: boolean }> }} Lock */

/** Reads a lockfile of this checkout. @param {string} path @returns {Lock | undefined} */
export function readLock(path) {
  try {
    return JSON.parse(readFileSync(join(projectRoot, path), 'utf8'));
  } catch {
    return undefined; // The lockfile is missing or incomplete, so the install runs again.
  }
}
