import { join } from 'node:path';
import { projectRoot } from './paths.mjs';

/**
 * What the pinned Node is given to run the core, or to do one thing with the home folder.
 * @param {string} home @param {readonly string[]} options such as `--restore-clients`
 */
export function coreArguments(home, options) {
  const entry = join(projectRoot, 'electron', 'core', 'headless.ts');
  return [entry, '--home', home, ...options];
}
