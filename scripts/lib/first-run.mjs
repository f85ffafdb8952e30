import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { note } from './entry.mjs';
import { pinnedNode } from './install.mjs';
import { projectRoot } from './paths.mjs';
import { isFirstRun, seedServers } from './seed.mjs';

const LOOK_TIMEOUT_MS = 10_000;

/**
 * Prepares content for a first run: servers of other clients, which the window offers to import, else the examples.
 * @param {string} home
 */
export async function prepareFirstRun(home) {
  if (!isFirstRun(home)) return;
  const { count, labels } = await findElsewhere();
  if (count === 0) return seedServers(home);
  const servers = count === 1 ? '1 server' : `${count} servers`;
  note(`first run: found ${servers} in ${labels.join(', ')}; the window offers to bring them in`);
}

/**
 * Finds the servers of other clients on this machine; none if that fails, so that the examples are used.
 * @returns {Promise<{ count: number, labels: string[] }>}
 */
async function findElsewhere() {
  const nothing = { count: 0, labels: [] };
  if (!existsSync(pinnedNode)) return nothing;
  try {
    const script = join(projectRoot, 'electron', 'core', 'count-imports.ts');
    const { stdout } = await promisify(execFile)(pinnedNode, [script], { timeout: LOOK_TIMEOUT_MS });
    return JSON.parse(stdout);
  } catch {
    return nothing;
  }
}
