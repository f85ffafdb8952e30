import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout, found from this file, so that every script works from any working directory. */
export const projectRoot = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '');

/** What the scripts remember about this checkout (stamps, locks); git ignores it, nothing breaks when it is deleted. */
export const checkoutCache = join(projectRoot, '.cache');

/**
 * A path inside an installed package.
 * @param {readonly string[]} segments
 */
export function inModules(...segments) {
  return join(projectRoot, 'node_modules', ...segments);
}

/**
 * The folder of this person for files that can be fetched again, shared by all checkouts.
 * A relative XDG_CACHE_HOME is ignored, as the base directory specification asks.
 * @param {NodeJS.ProcessEnv} [env]
 */
export function userCache(env = process.env) {
  const configured = env.XDG_CACHE_HOME ?? '';
  return join(isAbsolute(configured) ? configured : join(homedir(), '.cache'), 'mcp-control-panel');
}
