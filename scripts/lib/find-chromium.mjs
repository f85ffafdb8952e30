import { delimiter, join } from 'node:path';
import { isProgram } from './paths.mjs';
import { ScriptError } from './script-error.mjs';

/** Environment variable with the path of the browser in which the tests run the page. */
export const CHROMIUM_VARIABLE = 'MCP_CONTROL_PANEL_CHROMIUM';

const COMMANDS = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'microsoft-edge'];
const MAC_APPS = ['Chromium', 'Google Chrome', 'Microsoft Edge'];
const WINDOWS_PROGRAMS = [
  ['Google', 'Chrome', 'Application', 'chrome.exe'],
  ['Chromium', 'Application', 'chrome.exe'],
  ['Microsoft', 'Edge', 'Application', 'msedge.exe'],
];

/**
 * @typedef {object} Machine
 * @property {NodeJS.Platform} platform
 * @property {Record<string, string | undefined>} env
 * @property {(path: string) => boolean} isProgram
 */

/**
 * Returns the browser that the user has set, else the first one found at a usual path; undefined if there is none.
 * @param {Machine} machine
 * @returns {string | undefined}
 */
export function findChromium({ platform, env, isProgram } = thisMachine()) {
  const named = env[CHROMIUM_VARIABLE];
  if (!named) return placesOf(platform, env).find(isProgram);
  if (isProgram(named)) return named;
  throw new ScriptError(
    `${CHROMIUM_VARIABLE} names "${named}", which is no program.`,
    'Give the full path of a Chromium, Chrome or Edge.',
  );
}

/** @param {NodeJS.Platform} platform @param {Record<string, string | undefined>} env @returns {string[]} */
function placesOf(platform, env) {
  if (platform === 'win32') {
    const folders = [env.ProgramFiles, env['ProgramFiles(x86)'], env.LOCALAPPDATA].filter(isText);
    return WINDOWS_PROGRAMS.flatMap((parts) => folders.map((folder) => join(folder, ...parts)));
  }
  if (platform === 'darwin') return MAC_APPS.map((app) => `/Applications/${app}.app/Contents/MacOS/${app}`);
  const folders = (env.PATH ?? '').split(delimiter).filter(isText);
  return COMMANDS.flatMap((command) => folders.map((folder) => join(folder, command)));
}

/** @param {string | undefined} text @returns {text is string} */
function isText(text) {
  return text !== undefined && text !== '';
}

/** @returns {Machine} */
function thisMachine() {
  return { platform: process.platform, env: process.env, isProgram };
}
