import { basename } from 'node:path';
import { PanelError } from '../../../shared/error-codes.ts';
import { errnoOf } from '../errno.ts';
import { describeErrno, systemErrorOf, writeRemedy } from './file-errors.ts';

/** Reason why a file cannot be used, in words for users. Line and column count from 1. */
export interface FileProblem {
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
}

/** Creates the error of an edit that is refused because the file cannot be used. */
export function brokenError(path: string, problem: FileProblem): PanelError {
  const place = problem.line === undefined ? '' : ` (line ${problem.line}, column ${problem.column ?? 1})`;
  return new PanelError('CONFIG_BROKEN', `${basename(path)} was not written: ${problem.message}${place}`, {
    data: { path, ...problem },
    remedy: `Correct ${path}, or take its last good content from ${basename(path)}.bak.`,
  });
}

/** Creates the error of a failed write, which left the file unchanged. */
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

/** Creates the error of an edit whose every attempt found a newer version of the file. */
export function contendedError(path: string): PanelError {
  const message = `${basename(path)} was not written: another program keeps writing it`;
  const remedy = 'Nothing was lost: wait until the other program is done, then try again.';
  return new PanelError('CONFIG_BROKEN', message, { data: { path }, remedy });
}

/** Detects that Windows refused to replace a file which a virus scanner or an editor holds open, mostly for a moment. */
export function isInUse(error: unknown): error is PanelError {
  if (process.platform !== 'win32' || !(error instanceof PanelError)) return false;
  return ['EPERM', 'EBUSY', 'EACCES'].includes(errnoOf(error.cause) ?? '');
}
