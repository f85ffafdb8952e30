import { join, resolve } from 'node:path';
import { findOnPath, userCache } from '../paths.mjs';

const TOOLS = /** @type {const} */ (['wine', 'wineboot', 'wineserver', 'x86_64-w64-mingw32-gcc']);
const REMEDY = 'on Debian and Ubuntu: apt-get install wine wine64 gcc-mingw-w64-x86-64';

/**
 * Folders of the lane, which runs the tests with a Windows Node under wine. All are below one folder that can be deleted at any
 * time.
 * @typedef {object} LaneFolders
 * @property {string} root
 * @property {string} prefix wine's own disk and registry
 * @property {string} node the Windows Node
 * @property {string} shims programs that wine lacks, built from test/windows/shims
 * @property {string} tree the working tree's sources with packages for Windows
 * @property {string} results reports and outputs of the last run
 * @property {string} stamps files that record which steps of the preparation were completed
 */

/**
 * Returns the folders of the lane, which runs the tests under wine. They are in MCP_CONTROL_PANEL_WINDOWS_LANE if it is set,
 * else in the user's cache, which all checkouts share.
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {LaneFolders}
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

/** @typedef {Record<typeof TOOLS[number], string>} LaneTools absolute paths of the programs that the lane starts */

/**
 * Returns the paths of the tools that the lane needs, such as wine, or the reason why it cannot run on this machine.
 * @param {{ platform?: string, arch?: string, find?: (name: string) => string | undefined }} [machine]
 * @returns {{ tools: LaneTools } | { reason: string }}
 */
export function findLaneTools({ platform = process.platform, arch = process.arch, find = findOnPath } = {}) {
  if (platform !== 'linux' || arch !== 'x64')
    return { reason: `they need Windows, or wine on Linux (x64), and this is ${platform} (${arch})` };
  const found = TOOLS.map((name) => /** @type {const} */ ([name, find(name)]));
  const missing = found.filter(([, path]) => path === undefined).map(([name]) => name);
  if (missing.length > 0) return { reason: `not found: ${missing.join(', ')}; ${REMEDY}` };
  return { tools: /** @type {LaneTools} */ (Object.fromEntries(found)) };
}
