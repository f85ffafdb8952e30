import { readFileSync } from 'node:fs';
import { needsXvfb } from './display.mjs';
import { requireDisplay } from './display-probe.mjs';
import { ensureBuilt } from './build-app.mjs';
import { resolveElectron } from './electron-runtime.mjs';
import { note } from './entry.mjs';
import { ensureInstalled } from './install.mjs';
import { ensureSystemPackages } from './linux-system.mjs';
import { projectRoot } from './paths.mjs';

/** Names the LaunchCommand, as JSON, to tests and benchmarks, so that they need not find out again. */
export const TEST_ELECTRON_VARIABLE = 'MCP_CONTROL_PANEL_TEST_ELECTRON';

/**
 * How to start the built app from any working directory.
 * @typedef {{ executablePath: string, args: string[] }} LaunchCommand
 */

/**
 * Packages, Electron and its system libraries: everything but the build. Does only what is not done yet.
 * @param {{ opensDisplay: boolean }} options `opensDisplay`: the caller will call openDisplay()
 */
export async function prepareElectron({ opensDisplay }) {
  if (opensDisplay) await requireDisplay(); // First: nobody should wait minutes for this message.
  await ensureInstalled();
  const runtime = await resolveElectron();
  await ensureSystemPackages(runtime.distPath, { needsXvfb: opensDisplay && needsXvfb() });
  warnAboutSandbox();
  return runtime;
}

/**
 * Everything needed to run the app.
 * @param {{ opensDisplay: boolean }} options
 * @returns {Promise<LaunchCommand>}
 */
export async function prepareApp(options) {
  const runtime = await prepareElectron(options);
  await ensureBuilt();
  return { executablePath: runtime.executablePath, args: [projectRoot, ...sandboxArguments()] };
}

/** Chromium refuses to run as root with its sandbox; nobody else gets it switched off. */
export function sandboxArguments() {
  if (!isLinuxRoot()) return [];
  note('running as root, where Chromium needs --no-sandbox: added; an ordinary account keeps the sandbox');
  return ['--no-sandbox'];
}

/** The environment for Electron: this variable, which editors leave in their terminals, would make it a plain Node. */
export function electronEnvironment(/** @type {Record<string, string | undefined>} */ additions) {
  const env = { ...process.env, ...additions };
  delete env.ELECTRON_RUN_AS_NODE;
  return env;
}

function isLinuxRoot() {
  return process.platform === 'linux' && process.getuid?.() === 0;
}

/** Says beforehand what Chromium's own fatal message about its sandbox leaves open. */
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
    return undefined; // This kernel has no such switch.
  }
}
