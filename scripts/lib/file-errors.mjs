import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { ScriptError } from './script-error.mjs';

/**
 * Description of a system error on a file or folder, and its remedy.
 * @type {Readonly<Record<string, readonly [problem: string, remedy: string]>>}
 */
const PROBLEMS = {
  ENOSPC: ['its disk is full', 'Make room there, then run the same command again.'],
  EDQUOT: ['your quota on its disk is used up', 'Make room there, then run the same command again.'],
  EROFS: ['its file system is read-only', 'Make it writable, or use a place that is.'],
  EACCES: ['this account may not', 'Give it to the account that runs this, or use that account’s own place.'],
  EPERM: ['this account may not', 'Give it to the account that runs this, or use that account’s own place.'],
  ENOTDIR: ['a part of its path is a file, not a folder', 'Move that file away, or use another place.'],
  EEXIST: ['there is a file in its place', 'Move that file away, or use another place.'],
  EISDIR: ['there is a folder in its place', 'Move that folder away, or use another place.'],
  ELOOP: ['its path goes round in symbolic links', 'Mend the links, or use another place.'],
  ENAMETOOLONG: ['its path is too long', 'Use a shorter path.'],
  EIO: ['its disk has an input/output error', 'Check the disk.'],
  EMFILE: ['too many files are open', 'Raise the limit ("ulimit -n"), then run the same command again.'],
  ENFILE: ['too many files are open in the whole system', 'Close programs, then run the same command again.'],
};

/**
 * Returns a file system error as an error with a message for the user; undefined for other errors.
 * @param {unknown} error
 * @param {{ path?: string, elsewhere?: string | undefined }} [known] `path`: affected path, needed if the error does not
 * contain it, for example when writing to an open file; `elsewhere`: a sentence that tells the user how to choose another
 * location
 */
export function describeFileError(error, { path, elsewhere } = {}) {
  if (!(error instanceof Error)) return undefined;
  const { code = '', path: found } = /** @type {NodeJS.ErrnoException} */ (error);
  const where = path ?? found;
  const known = PROBLEMS[code];
  if (known === undefined || where === undefined) return undefined;
  const [problem, remedy] = known;
  const remedies = elsewhere === undefined ? remedy : `${remedy} ${elsewhere}`;
  return new ScriptError(`"${where}" cannot be used: ${problem} (${code}).`, remedies);
}

/**
 * Runs an action on a file or folder, and adds the path to its errors.
 * @template T
 * @param {string} path
 * @param {() => T} action
 * @param {string} [elsewhere] see describeFileError
 * @returns {T}
 */
export function withPathInErrors(path, action, elsewhere) {
  try {
    return action();
  } catch (error) {
    throw describeFileError(error, { path, elsewhere }) ?? error;
  }
}

/**
 * Creates a folder unless it exists, and ensures that it is writable.
 * @param {string} folder @param {{ mode?: number, elsewhere?: string }} [options] `elsewhere`: see describeFileError
 */
export function requireFolder(folder, { mode, elsewhere } = {}) {
  const require = () => {
    // Write access is checked first, because creating a folder on a read-only file system fails with a misleading code
    // (ENOENT).
    accessSync(nearestExisting(folder), constants.W_OK);
    mkdirSync(folder, { recursive: true, mode });
  };
  withPathInErrors(folder, require, elsewhere);
}

/** @param {string} path @returns {string} */
function nearestExisting(path) {
  return existsSync(path) || dirname(path) === path ? path : nearestExisting(dirname(path));
}
