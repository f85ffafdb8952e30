import { setTimeout as delay } from 'node:timers/promises';
import { npmCommand } from './npm-command.mjs';
import { registryCode } from './npm-problem.mjs';
import { inModules } from './paths.mjs';
import { sizeOf } from './progress.mjs';
import { captureCommand } from './run-command.mjs';

const ASK_LIMIT_MS = 10_000;
/** Time for npm to read its cache, whose packages need no network. A refusal is certain, so it gets less than silence. */
const PATIENCE_MS = { refused: 4_000, silent: 15_000 };

/**
 * Failure of the registry: npm's output; `isSilent` if there was none within the limit.
 * @typedef {{ output: string, isSilent: boolean }} Refusal
 */
export const SILENCE = `no answer within ${ASK_LIMIT_MS / 1000} s`;

/**
 * Ends an install when the registry fails and nothing was downloaded, because npm would retry each package for minutes. The
 * check requests a package of the lockfile, because many registries answer a ping differently.
 * @param {{ kill: () => void }} install @param {AbortSignal} isOver aborted when the install has ended
 * @param {{ spec: string, patienceMs?: typeof PATIENCE_MS, folder?: string }} options `spec`: as in "name@1.0.0"; `folder`:
 *   where what arrives is written
 * @returns {Promise<Refusal | undefined>} what was the end of the install, if this was it
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

/** Queries by npm, because of the user's registry, proxy and certificates. @returns {Promise<Refusal | undefined>} */
async function askRegistry(/** @type {string} */ spec) {
  const npm = npmCommand(['view', spec, 'version', '--fetch-retries=0', '--loglevel=error']);
  let isSilent = false;
  /** @type {NodeJS.Timeout | undefined} */
  let limit;
  const { stdout, stderr } = await captureCommand(npm.command, npm.args, {
    ...npm.options,
    onStart: (_child, group) => {
      limit = setTimeout(() => {
        isSilent = true;
        group.kill();
      }, ASK_LIMIT_MS);
    },
  }).finally(() => clearTimeout(limit));
  const output = stderr + stdout;
  return isSilent || registryCode(output) !== undefined ? { output, isSilent } : undefined;
}
