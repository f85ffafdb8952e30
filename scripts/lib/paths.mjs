import { homedir } from 'node:os';
import { accessSync, constants } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Root of the checkout. It is derived from the path of this file, so that every script works in any working directory. */
export const projectRoot = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '');

/** Folder for files that the scripts keep about this checkout (stamps, locks). Git ignores it, and it may be deleted. */
export const checkoutCache = join(projectRoot, '.cache');

/** @param {readonly string[]} segments */
export function inModules(...segments) {
  return join(projectRoot, 'node_modules', ...segments);
}

/**
 * Returns the user's folder for files that can be fetched again. All checkouts share it. A relative XDG_CACHE_HOME is ignored,
 * as the base directory specification demands.
 * @param {NodeJS.ProcessEnv} [env]
 */
export function userCache(env = process.env) {
  const configured = env.XDG_CACHE_HOME ?? '';
  return join(isAbsolute(configured) ? configured : join(homedir(), '.cache'), 'mcp-control-panel');
}

/**
 * Finds a program on the PATH. @param {string} name @param {readonly string[]} [more] folders that are searched after those of
 * the PATH @returns {string | undefined}
 */
export function findOnPath(name, more = []) {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return [...folders, ...more].map((folder) => join(folder, name)).find(isProgram);
}

/** True if the path is a file that may be executed. @param {string} path */
export function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
