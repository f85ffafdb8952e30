import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { withPathInErrors } from './file-errors.mjs';

/**
 * Hashes the names and contents of files and folders. Two hashes are equal exactly if a rebuild has the same input. Times are
 * ignored, because a checkout changes them, and a fast edit may not change them. A missing path is allowed; adding it changes
 * the hash.
 * @param {string} base
 * @param {readonly string[]} paths relative to `base`
 */
export function hashContents(base, paths) {
  return hashFiles(base, paths, (file) => readFileSync(file));
}

/**
 * Hashes only names, sizes and times. This is cheap for large outputs, and detects when another program has written to them.
 * @param {string} base
 * @param {readonly string[]} paths relative to `base`
 */
export function hashMetadata(base, paths) {
  return hashFiles(base, paths, (file) => {
    const { size, mtimeMs } = statSync(file);
    return `${size} ${mtimeMs}`;
  });
}

/** @param {string} base @param {readonly string[]} paths @param {(file: string) => string | Buffer} read */
function hashFiles(base, paths, read) {
  const hash = createHash('sha256');
  for (const file of paths.flatMap((path) => listFiles(join(base, path))).sort()) {
    const content = read(file);
    hash.update(`${relative(base, file)}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

/** @param {string} path @returns {string[]} */
function listFiles(path) {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return [];
  if (!stats.isDirectory()) return [path];
  return readdirSync(path).flatMap((name) => listFiles(join(path, name)));
}

/** Returns the hash of the inputs with which the step last succeeded; undefined if there is none. @param {string} file */
export function readStamp(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined; // The stamp was never written, or was removed on purpose, so the step must run.
  }
}

/** @param {string} file @param {string} value */
export function writeStamp(file, value) {
  withPathInErrors(file, () => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, value);
  });
}

/** Removes the stamp before a step begins, so that an aborted step is run again. @param {string} file */
export function removeStamp(file) {
  rmSync(file, { force: true });
}
