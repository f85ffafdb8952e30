import { join } from 'node:path';
import { projectRoot } from './paths.mjs';

/** What the pinned Node is given to run the core, or to put back what was moved from other programs. @param {string} home @param {boolean} restores */
export function coreArguments(home, restores) {
  const entry = join(projectRoot, 'electron', 'core', 'headless.ts');
  return [entry, '--home', home, ...(restores ? ['--restore-clients'] : [])];
}
