import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const TOOLS = /** @type {const} */ (['wine', 'wineboot', 'wineserver', 'x86_64-w64-mingw32-gcc']);
const REMEDY = 'on Debian and Ubuntu: apt-get install wine wine64 gcc-mingw-w64-x86-64';

/** @typedef {Record<typeof TOOLS[number], string>} LaneTools absolute paths of the programs that the lane starts */

/**
 * Returns the paths of the lane's tools, or the reason why it cannot run here.
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

/** @param {string} name @returns {string | undefined} */
function findOnPath(name) {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false; // The file is missing or not executable.
  }
}
