import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { requireDisplay } from './display-probe.mjs';
import { note, ScriptError } from './entry.mjs';
import { withPathInErrors } from './file-errors.mjs';

const START_LIMIT_MS = 20_000;
const END_LIMIT_MS = 5_000;
const SCREEN = '1440x900x24';

/**
 * Display for Electron. `env` contains the changes to Electron's environment, and `end` stops what was started for the display.
 * @typedef {{ env: Record<string, string | undefined>, end: () => Promise<void> }} Display
 */

/** True if this Linux session has no display. */
export function needsXvfb(/** @type {NodeJS.ProcessEnv} */ env = process.env, platform = process.platform) {
  return platform === 'linux' && !env.DISPLAY && !env.WAYLAND_DISPLAY;
}

/**
 * Returns the display of this session, or starts a virtual one (Xvfb) if there is none. The caller must call `end`.
 * @public because the tests of the app import this module by its path
 * @param {{ endsWithLastClient?: boolean, screen?: string }} [options] `endsWithLastClient`: set if only one app uses the
 * display; if this process is killed, Xvfb then ends once that app has ended; `screen`: width, height and depth of the virtual
 * display
 * @returns {Promise<Display>}
 */
export async function openDisplay({ endsWithLastClient = false, screen = SCREEN } = {}) {
  return needsXvfb()
    ? startXvfb(endsWithLastClient, screen)
    : { env: await requireDisplay(), end: async () => {} };
}

/**
 * Runs `task` with the environment of a display, and ends what was started for it.
 * @template T
 * @param {(env: Display['env']) => Promise<T>} task @param {Parameters<typeof openDisplay>[0]} [options]
 */
export async function withDisplay(task, options) {
  const display = await openDisplay(options);
  try {
    return await task(display.env);
  } finally {
    await display.end();
  }
}

/** @param {boolean} endsWithLastClient @param {string} screen @returns {Promise<Display>} */
async function startXvfb(endsWithLastClient, screen) {
  const folder = withPathInErrors(tmpdir(), () => mkdtempSync(join(tmpdir(), 'mcp-control-panel-display-')));
  const authority = join(folder, 'authority');
  withPathInErrors(authority, () =>
    writeFileSync(authority, authorityRecord(randomBytes(16)), { mode: 0o600 }),
  );
  const lifetime = endsWithLastClient ? '-terminate' : '-noreset';
  const args = ['-displayfd', '3', '-screen', '0', screen, '-nolisten', 'tcp', '-auth', authority, lifetime];
  // Xvfb runs detached, because Ctrl-C signals the whole foreground group, but Electron needs its display until it has quit.
  const child = spawn('Xvfb', args, { detached: true, stdio: ['ignore', 'ignore', 'pipe', 'pipe'] });
  const endAtExit = () => {
    child.kill();
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', endAtExit);
  const number = await readDisplayNumber(child).catch((error) => {
    endAtExit();
    throw error;
  });
  note(`no display (DISPLAY and WAYLAND_DISPLAY are not set): started a virtual one, Xvfb on :${number}`);
  if (endsWithLastClient)
    note(
      `to see the window: x11vnc -localhost -display :${number} -auth ${authority}, then a VNC viewer on port 5900`,
    );
  const end = async () => {
    await endChild(child);
    process.off('exit', endAtExit);
    rmSync(folder, { recursive: true, force: true });
  };
  return {
    env: replacing({ DISPLAY: `:${number}`, XAUTHORITY: authority, XDG_SESSION_TYPE: 'x11' }),
    end,
  };
}

/**
 * Returns the variables together with a record of the values that they replace. The app restores the replaced values in the
 * environment of its servers, because an invisible display is only for the panel.
 * @param {Record<string, string>} variables
 * @param {NodeJS.ProcessEnv} [env]
 */
export function replacing(variables, env = process.env) {
  const replaced = Object.fromEntries(Object.keys(variables).map((name) => [name, env[name] ?? null]));
  return { ...variables, MCP_CONTROL_PANEL_REPLACED: JSON.stringify(replaced) };
}

/**
 * Returns an X authority entry that is valid for any host and display. Without an authority file, other users of the machine
 * could read the screen. @param {Buffer} cookie
 */
export function authorityRecord(cookie) {
  const anyFamily = Buffer.from([0xff, 0xff]);
  const fields = ['', '', 'MIT-MAGIC-COOKIE-1', cookie].map((field) => {
    const bytes = Buffer.from(field);
    return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 0xff]), bytes]);
  });
  return Buffer.concat([anyFamily, ...fields]);
}

/**
 * Returns the number of the free display that Xvfb has chosen. Xvfb writes it when it accepts clients.
 * @param {import('node:child_process').ChildProcess} child
 * @returns {Promise<string>}
 */
function readDisplayNumber(child) {
  let errors = '';
  child.stderr?.setEncoding('utf8').on('data', (text) => (errors = (errors + text).slice(-2000)));
  return new Promise((resolve, reject) => {
    const fail = (/** @type {string} */ reason) =>
      reject(new ScriptError(`Xvfb did not start: ${reason}. ${errors.trim()}`));
    const limit = setTimeout(
      () => fail(`no display number within ${START_LIMIT_MS / 1000} s`),
      START_LIMIT_MS,
    );
    child.once('error', (cause) => fail(cause.message));
    child.once('exit', (code, signal) => fail(`it ended with ${signal ?? `exit code ${code}`}`));
    let written = '';
    /** @type {import('node:stream').Readable} */ (child.stdio[3]).setEncoding('utf8').on('data', (text) => {
      written += text;
      if (!written.includes('\n')) return;
      clearTimeout(limit);
      resolve(written.trim());
    });
  });
}

/** @param {import('node:child_process').ChildProcess} child */
async function endChild(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const limit = setTimeout(() => child.kill('SIGKILL'), END_LIMIT_MS);
  await ended;
  clearTimeout(limit);
}
