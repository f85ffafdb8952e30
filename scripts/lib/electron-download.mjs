import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isFallbackPlatform } from './electron-fallback.mjs';
import { ensurePinnedNode } from './install.mjs';
import { checkoutCache, inModules } from './paths.mjs';
import { sizeOf, withProgress } from './progress.mjs';
import { captureCommand } from './run-command.mjs';
import { writeStamp } from './stamp.mjs';

/** Milliseconds without progress after which a download is aborted. A slow download that makes progress has no time limit. */
const STILL_LIMIT_MS = 90_000;
const LOOK_EVERY_MS = 2_000;

/**
 * Milliseconds for which a failed download is remembered, so that not every start attempts it again. Behind a firewall that
 * drops packets, each attempt takes STILL_LIMIT_MS.
 */
const REFUSAL_LIFETIME_MS = 24 * 3_600_000;
const REFUSAL = join(checkoutCache, 'electron-refusal.json');

/**
 * True if the download of this version failed within the last day. On a platform without a fallback Electron it is always
 * false, because without another attempt the start would certainly fail.
 * @param {string} version
 */
export function isKnownRefusal(version) {
  if (!isFallbackPlatform()) return false;
  try {
    const refusal = JSON.parse(readFileSync(REFUSAL, 'utf8'));
    const ageMs = Date.now() - refusal.at;
    return refusal.version === version && ageMs >= 0 && ageMs < REFUSAL_LIFETIME_MS;
  } catch {
    return false; // No failure is recorded, or the record is unreadable.
  }
}

/** Lets the next start try the download again. */
export function forgetRefusal() {
  rmSync(REFUSAL, { force: true });
}

/**
 * Runs the install script of the `electron` package, which downloads Electron and handles mirrors, proxies and checksums.
 * @param {string} version
 * @returns {Promise<string | undefined>} reason of the failure; undefined after a success
 */
export async function downloadElectron(version) {
  const node = await ensurePinnedNode();
  // The download gets its own temporary folder, because the growth of that folder shows progress.
  const scratch = mkdtempSync(join(tmpdir(), 'mcp-control-panel-electron-'));
  const folders = [scratch, inModules('electron', 'dist')];
  const name = 'the download of Electron';
  const env = { ...process.env, TMPDIR: scratch, TMP: scratch, TEMP: scratch };
  /** @type {NodeJS.Timeout | undefined} */
  let watch;
  let isStill = false;
  const run = () =>
    captureCommand(node, [inModules('electron', 'install.js')], {
      env,
      name,
      onStart: (_child, group) => {
        watch = watchGrowth(folders, () => {
          isStill = true;
          group.kill();
        });
      },
    });
  try {
    const { code, stderr } = await withProgress(`downloading Electron ${version}`, run, {
      folders: [scratch],
    });
    if (code === 0) return void forgetRefusal();
    const reason = isStill ? `it stood still for ${STILL_LIMIT_MS / 1000} s` : firstLine(stderr);
    writeStamp(REFUSAL, JSON.stringify({ version, reason, at: Date.now() }));
    return reason;
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
    const found = sizeOf(folders);
    if (found !== size) [size, grownAt] = [found, Date.now()];
    else if (Date.now() - grownAt > STILL_LIMIT_MS) onStill();
  }, LOOK_EVERY_MS);
}

/** Returns the first non-empty line of a failed installer's output, which is the error. A stack trace follows it. */
function firstLine(/** @type {string} */ output) {
  return (
    output
      .split('\n')
      .find((line) => line.trim() !== '')
      ?.trim()
      .replace(/^\w*Error: /, '') ?? 'no reason given'
  );
}
