import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { note } from './entry.mjs';
import { requireFolder, withPathInErrors } from './file-errors.mjs';

const POLL_MS = 200;

/**
 * Runs `task` while this process holds the lock `path`. The lock is a folder that contains the pid of its owner. It is created
 * and removed by a single rename, so that it is never incomplete. If the owner of a lock no longer runs (it was killed, or the
 * machine was switched off), the lock is replaced.
 * @template T
 * @param {string} path
 * @param {string} what what the task does, printed by other processes that wait for the lock
 * @param {() => Promise<T>} task
 */
export async function withDirectoryLock(path, what, task) {
  await takeLock(path, what);
  const release = () => {
    if (readOwner(path) === process.pid) removeLock(path);
  };
  process.once('exit', release);
  try {
    return await task();
  } finally {
    process.off('exit', release);
    release();
  }
}

async function takeLock(/** @type {string} */ path, /** @type {string} */ what) {
  requireFolder(dirname(path));
  let isTold = false;
  while (!tryLock(path)) {
    const owner = readOwner(path);
    if (owner === undefined || !isAlive(owner)) {
      removeLock(path);
    } else if (!isTold) {
      note(`waiting for process ${owner}, which is ${what}`);
      isTold = true;
    }
    await delay(POLL_MS);
  }
}

/** @param {string} path */
function tryLock(path) {
  const prepared = `${path}.${process.pid}`;
  withPathInErrors(prepared, () => {
    mkdirSync(prepared, { recursive: true });
    writeFileSync(join(prepared, 'owner'), String(process.pid));
  });
  try {
    renameSync(prepared, path); // Fails while another process holds the lock, because `path` is then a non-empty folder.
    return true;
  } catch (error) {
    rmSync(prepared, { recursive: true, force: true });
    const { code = '' } = /** @type {NodeJS.ErrnoException} */ (error);
    if (['ENOTEMPTY', 'EEXIST', 'EPERM'].includes(code)) return false;
    throw error;
  }
}

/** Removes the lock. Renames it first, because deleting it in place could delete the owner file of the next process. */
function removeLock(/** @type {string} */ path) {
  const moved = `${path}.removed-${process.pid}`;
  try {
    renameSync(path, moved);
  } catch {
    return; // Another process has already removed it.
  }
  rmSync(moved, { recursive: true, force: true });
}

/** @param {string} path @returns {number | undefined} */
function readOwner(path) {
  try {
    return Number(readFileSync(join(path, 'owner'), 'utf8'));
  } catch {
    return undefined;
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}
