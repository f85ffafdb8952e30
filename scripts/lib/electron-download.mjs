import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { note } from './entry.mjs';
import { ensurePinnedNode } from './install.mjs';
import { checkoutCache, inModules } from './paths.mjs';
import { settle } from './run-command.mjs';

/** A download that stands still this long is given up; a slow one may take as long as it needs. */
const STILL_LIMIT_MS = 90_000;
const LOOK_EVERY_MS = 2_000;

/** A firewall that swallows packets costs STILL_LIMIT_MS each time, so a refusal is believed for a day. */
const REFUSAL_LIFETIME_MS = 24 * 3_600_000;
const REFUSAL = join(checkoutCache, 'electron-refusal.json');

/**
 * Why the download of this version failed within the last day, or undefined when it is worth a try.
 * @param {string} version @param {number} [now]
 * @returns {string | undefined}
 */
export function recentRefusal(version, now = Date.now()) {
  try {
    const refusal = JSON.parse(readFileSync(REFUSAL, 'utf8'));
    const isRecent = now - refusal.at < REFUSAL_LIFETIME_MS && now >= refusal.at;
    return refusal.version === version && isRecent
      ? `${refusal.reason}; delete ${REFUSAL} to try again`
      : undefined;
  } catch {
    return undefined; // No refusal on record.
  }
}

/**
 * Runs the `electron` package's own download, which knows mirrors, proxies and checksums.
 * @param {string} version
 * @returns {Promise<string | undefined>} why it failed, or undefined when it worked
 */
export async function downloadElectron(version) {
  note(`downloading Electron ${version}`);
  const reason = await runInstaller();
  if (reason === undefined) {
    rmSync(REFUSAL, { force: true });
  } else {
    mkdirSync(checkoutCache, { recursive: true });
    writeFileSync(REFUSAL, JSON.stringify({ version, reason, at: Date.now() }));
  }
  return reason;
}

/** @returns {Promise<string | undefined>} */
async function runInstaller() {
  // The download grows in a folder of its own, so that standing still can be seen from outside.
  const scratch = mkdtempSync(join(tmpdir(), 'mcp-control-panel-electron-'));
  const env = { ...process.env, TMPDIR: scratch, TMP: scratch, TEMP: scratch };
  const node = await ensurePinnedNode();
  const child = spawn(node, [inModules('electron', 'install.js')], { env, stdio: ['ignore', 2, 'pipe'] });
  let output = '';
  child.stderr?.setEncoding('utf8').on('data', (text) => (output += text));
  let isStill = false;
  const watch = watchGrowth([scratch, inModules('electron', 'dist')], () => {
    isStill = true;
    child.kill('SIGKILL');
  });
  try {
    const { code } = await settle(child, node);
    if (isStill) return `it stood still for ${STILL_LIMIT_MS / 1000} s`;
    return code === 0 ? undefined : firstLine(output);
  } finally {
    clearInterval(watch);
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** @param {string[]} folders @param {() => void} onStill */
function watchGrowth(folders, onStill) {
  let size = -1;
  let grownAt = Date.now();
  return setInterval(() => {
    const found = folders.reduce((sum, folder) => sum + sizeOf(folder), 0);
    if (found !== size) [size, grownAt] = [found, Date.now()];
    else if (Date.now() - grownAt > STILL_LIMIT_MS) onStill();
  }, LOOK_EVERY_MS);
}

/** @param {string} path @returns {number} */
function sizeOf(path) {
  try {
    const stats = statSync(path);
    if (!stats.isDirectory()) return stats.size;
    return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
  } catch {
    return 0; // Moved or removed while we looked.
  }
}

/** The installer prints a stack; its first line says what happened. */
function firstLine(/** @type {string} */ output) {
  return (
    output
      .split('\n')
      .find((line) => line.trim() !== '')
      ?.trim() ?? 'no reason given'
  );
}
