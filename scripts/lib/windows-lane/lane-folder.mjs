import { join, resolve } from 'node:path';
import { userCache } from '../paths.mjs';

/**
 * Folders of the lane, all below one that can be deleted at any time.
 * @typedef {object} LaneFolders
 * @property {string} root
 * @property {string} prefix wine's own disk and registry
 * @property {string} node the Windows Node
 * @property {string} shims programs that wine lacks, built from test/windows/shims
 * @property {string} tree the working tree's sources with packages for Windows
 * @property {string} results reports and outputs of the last run
 * @property {string} stamps
 */

/**
 * Returns the folders below MCP_CONTROL_PANEL_WINDOWS_LANE, else below the user's cache, shared by all checkouts.
 * @param {NodeJS.ProcessEnv} [env] @returns {LaneFolders}
 */
export function laneFolders(env = process.env) {
  const chosen = env.MCP_CONTROL_PANEL_WINDOWS_LANE;
  const root = chosen ? resolve(chosen) : join(userCache(env), 'windows-lane');
  return {
    root,
    prefix: join(root, 'prefix'),
    node: join(root, 'node', 'node.exe'),
    shims: join(root, 'shims'),
    tree: join(root, 'tree'),
    results: join(root, 'results'),
    stamps: join(root, 'stamps'),
  };
}
