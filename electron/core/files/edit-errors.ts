import { basename } from 'node:path';
import { PanelError } from '../../../shared/error-codes.ts';
import { errnoOf } from '../errno.ts';
import { describeErrno, systemErrorOf, writeRemedy } from './file-errors.ts';

/** Why a file cannot be used, in words for people. Line and column count from 1. */
export interface FileProblem {
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
}

/** Why an edit is refused: the file cannot be used as it is. */
export function brokenError(path: string, problem: FileProblem): PanelError {
  const place = problem.line === undefined ? '' : ` (line ${problem.line}, column ${problem.column ?? 1})`;
  return new PanelError('CONFIG_BROKEN', `${basename(path)} was not written: ${problem.message}${place}`, {
    data: { path, ...problem },
    remedy: `Correct ${path}, or take its last good content from ${basename(path)}.bak.`,
  });
}

/** Why a write failed; the file is what it was. */
export function writeError(path: string, error: unknown): PanelError {
  const cause = systemErrorOf(error);
  const isDenied = ['EACCES', 'EPERM', 'EROFS'].includes(errnoOf(cause) ?? '');
  const message = `${basename(path)} was not written: ${describeErrno(cause)}`;
  return new PanelError(isDenied ? 'PERMISSION_DENIED' : 'CONFIG_BROKEN', message, {
    data: { path },
    remedy: writeRemedy(path, cause),
    cause,
  });
}

/** Every attempt found that somebody else had written the file since it was read. */
export function contendedError(path: string): PanelError {
  const message = `${basename(path)} was not written: another program keeps writing it`;
  const remedy = 'Nothing was lost: wait until the other program is done, then try again.';
  return new PanelError('CONFIG_BROKEN', message, { data: { path }, remedy });
}

/** Windows refuses to replace a file that a virus scanner or an editor holds open, mostly for a moment only. */
export function isInUse(error: unknown): error is PanelError {
  if (process.platform !== 'win32' || !(error instanceof PanelError)) return false;
  return ['EPERM', 'EBUSY', 'EACCES'].includes(errnoOf(error.cause) ?? '');
}
