import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ScriptError } from './entry.mjs';
import { readFuses } from './fuses.mjs';

/**
 * Reads the fuses of what was packaged back from its binaries: a setting that did not arrive is a hole.
 * @param {string} output electron-builder's folder @param {Map<string, boolean>} wanted
 */
export function verifyFuses(output, wanted) {
  const binaries = findBinaries(output);
  if (binaries.length === 0)
    throw new ScriptError(`No packaged app was found in "${output}" to check its fuses.`);
  for (const binary of binaries) {
    const found = readFuses(binary);
    const wrong = [...wanted].filter(([name, isOn]) => found.get(name) !== isOn).map(([name]) => name);
    if (wrong.length > 0)
      throw new ScriptError(`"${binary}" has fuses that are not as configured: ${wrong.join(', ')}.`);
  }
  return binaries;
}

/** The file that carries the fuses, in each unpacked app. @param {string} output @returns {string[]} */
function findBinaries(output) {
  const framework = 'Contents/Frameworks/Electron Framework.framework/Electron Framework';
  return (existsSync(output) ? readdirSync(output) : []).flatMap((name) => {
    const folder = join(output, name);
    if (name.startsWith('mac')) return matching(folder, /\.app$/).map((app) => join(app, framework));
    if (name.startsWith('win') && name.endsWith('unpacked')) return matching(folder, /Control Panel.*\.exe$/);
    if (name.startsWith('linux') && name.endsWith('unpacked'))
      return matching(folder, /^mcp-control-panel(-test)?$/);
    return [];
  });
}

/** @param {string} folder @param {RegExp} pattern */
function matching(folder, pattern) {
  return readdirSync(folder)
    .filter((name) => pattern.test(name))
    .map((name) => join(folder, name));
}
