import { setTimeout as delay } from 'node:timers/promises';
import { npmCommand } from './npm-command.mjs';
import { networkCode } from './npm-problem.mjs';
import { inModules } from './paths.mjs';
import { sizeOf } from './progress.mjs';
import { captureCommand } from './run-command.mjs';

const PING_LIMIT_MS = 10_000;
/** npm reads its cache first, which takes a slow machine some seconds; what is in there needs no network. */
const PATIENCE_MS = 15_000;

/** Why there is no answer, and what npm said. @typedef {{ reason: string, output: string }} Silence */

/**
 * Ends an install when the registry cannot be reached and nothing has arrived: npm itself would try for minutes, each
 * package anew. Whatever answers, with an error too, counts as reached.
 * @param {{ kill: () => void }} install @param {AbortSignal} isOver aborted when the install has ended
 * @param {{ patienceMs?: number, folder?: string }} [options] `folder`: where what arrives is written
 * @returns {Promise<Silence | undefined>} what was the end of the install, if this was it
 */
export async function watchRegistry(
  install,
  isOver,
  { patienceMs = PATIENCE_MS, folder = inModules() } = {},
) {
  const size = sizeOf([folder]);
  if ((await pingRegistry()) === undefined) return undefined;
  await delay(patienceMs, undefined, { signal: isOver }).catch(() => undefined);
  if (isOver.aborted || sizeOf([folder]) !== size) return undefined;
  const silence = await pingRegistry();
  if (isOver.aborted || silence === undefined) return undefined;
  install.kill();
  return silence;
}

/** Through npm, so that the person's registry, proxy and certificates apply. @returns {Promise<Silence | undefined>} */
async function pingRegistry() {
  const npm = npmCommand(['ping', '--fetch-retries=0', '--loglevel=error']);
  let isLate = false;
  /** @type {NodeJS.Timeout | undefined} */
  let limit;
  const { stdout, stderr } = await captureCommand(npm.command, npm.args, {
    ...npm.options,
    onStart: (_child, group) => {
      limit = setTimeout(() => {
        isLate = true;
        group.kill();
      }, PING_LIMIT_MS);
    },
  }).finally(() => clearTimeout(limit));
  const output = stdout + stderr;
  const reason = isLate ? `no answer within ${PING_LIMIT_MS / 1000} s` : networkCode(output);
  return reason === undefined ? undefined : { reason, output };
}
