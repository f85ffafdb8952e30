import { readFileSync } from 'node:fs';
import { needsXvfb, withDisplay } from './display.mjs';
import { requireDisplay } from './display-probe.mjs';
import { ensureBuilt } from './build-app.mjs';
import { resolveElectron } from './electron-runtime.mjs';
import { note } from './entry.mjs';
import { ensureInstalled } from './install.mjs';
import { ensureSystemPackages } from './linux-system.mjs';
import { projectRoot } from './paths.mjs';

/** Environment variable that contains the command to start the app, a LaunchCommand as JSON. Tests and benchmarks read it. */
export const TEST_ELECTRON_VARIABLE = 'MCP_CONTROL_PANEL_TEST_ELECTRON';

/**
 * Command that starts the built app from any working directory.
 * @typedef {{ executablePath: string, args: string[] }} LaunchCommand
 */

/**
 * Prepares packages, Electron and its system libraries, but not the build. Skips finished steps.
 * @param {{ opensDisplay: boolean }} options `opensDisplay`: the caller will call openDisplay()
 */
export async function prepareElectron({ opensDisplay }) {
  if (opensDisplay) await requireDisplay(); // The display is checked first, so that the user need not wait for minutes to learn that it is missing.
  await ensureInstalled();
  const runtime = await resolveElectron();
  await ensureSystemPackages(runtime.distPath, { needsXvfb: opensDisplay && needsXvfb() });
  warnAboutSandbox();
  return runtime;
}

/** @param {{ opensDisplay: boolean }} options @returns {Promise<LaunchCommand>} */
export async function prepareApp(options) {
  const runtime = await prepareElectron(options);
  await ensureBuilt();
  return { executablePath: runtime.executablePath, args: [projectRoot, ...sandboxArguments()] };
}

/**
 * Runs `task` with an environment for a program that starts the built app, such as a test run. The environment contains the
 * app's start command and a display.
 * @template T
 * @param {(env: NodeJS.ProcessEnv) => Promise<T>} task
 * @param {Parameters<typeof withDisplay>[1]} [display]
 */
export async function withApp(task, display) {
  const command = await prepareApp({ opensDisplay: true });
  const variables = { ...process.env, [TEST_ELECTRON_VARIABLE]: JSON.stringify(command) };
  return withDisplay((env) => task({ ...variables, ...env }), display);
}

/** Returns arguments that disable the sandbox if the user is root, because Chromium refuses to run as root with it. */
export function sandboxArguments() {
  if (!isLinuxRoot()) return [];
  note('running as root, where Chromium needs --no-sandbox: added; an ordinary account keeps the sandbox');
  return ['--no-sandbox'];
}

/** Returns Electron's environment without ELECTRON_RUN_AS_NODE, which editors set and which makes it run as a plain Node. */
export function electronEnvironment(/** @type {Record<string, string | undefined>} */ additions) {
  const env = { ...process.env, ...additions };
  delete env.ELECTRON_RUN_AS_NODE;
  return env;
}

function isLinuxRoot() {
  return process.platform === 'linux' && process.getuid?.() === 0;
}

/** Warns if the sandbox cannot start, because Chromium's own fatal message names no remedy. */
function warnAboutSandbox() {
  if (process.platform !== 'linux' || isLinuxRoot()) return;
  const switches = [
    { file: '/proc/sys/kernel/apparmor_restrict_unprivileged_userns', off: '1', on: '0' },
    { file: '/proc/sys/kernel/unprivileged_userns_clone', off: '0', on: '1' },
  ];
  for (const { file, off, on } of switches) {
    if (readSetting(file) !== off) continue;
    const name = file.replace('/proc/sys/', '').replaceAll('/', '.');
    note(
      `${name} is ${off}, so Chromium's sandbox may not start; allow it with: sudo sysctl -w ${name}=${on}`,
    );
  }
}

/** @param {string} file */
function readSetting(file) {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return undefined; // This kernel lacks the setting.
  }
}
