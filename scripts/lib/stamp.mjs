import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { withPathInErrors } from './file-errors.mjs';

/**
 * One hash over the names and contents of files and folders: equal exactly when a rebuild would see the same input.
 * Contents, not times: a checkout or a touch changes times only, and a fast edit may leave them.
 * A missing path counts as missing, so that adding it changes the hash.
 * @param {string} base @param {readonly string[]} paths relative to `base`
 */
export function hashContents(base, paths) {
  return hashFiles(base, paths, (file) => readFileSync(file));
}

/**
 * The same over sizes and times only: enough to see that something else wrote there, and cheap for large outputs.
 * @param {string} base @param {readonly string[]} paths relative to `base`
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

/**
 * The file itself, every file below a folder, or nothing.
 * @param {string} path @returns {string[]}
 */
function listFiles(path) {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return [];
  if (!stats.isDirectory()) return [path];
  return readdirSync(path).flatMap((name) => listFiles(join(path, name)));
}

/** What the last successful step was made from, or undefined. @param {string} file */
export function readStamp(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined; // Never made, or removed on purpose: the step is due.
  }
}

/** @param {string} file @param {string} value */
export function writeStamp(file, value) {
  withPathInErrors(file, () => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, value);
  });
}

/** Called before a step begins, so that a step cut short is due again. @param {string} file */
export function removeStamp(file) {
  rmSync(file, { force: true });
}
