import { basename } from 'node:path';
import { PanelError } from '../../../shared/error-codes.ts';
import { errnoOf } from '../errno.ts';
import { messageOf } from '../../../shared/message-of.ts';

/** Describes why a file operation failed, for users. */
export function describeErrno(error: unknown): string {
  const code = errnoOf(error);
  if (isDenied(code)) return `permission denied (${code})`;
  if (code === 'EROFS') return 'the file system is read-only (EROFS)';
  if (isFull(code)) return `there is no space left (${code})`;
  return messageOf(error);
}

/** Returns one sentence on what a user can do about a failed write. */
function writeRemedy(path: string, error: unknown): string {
  const code = errnoOf(error);
  if (isProtected(code)) return `Allow writing to ${path} and to its folder.`;
  return isFull(code)
    ? 'Nothing was lost: make room on the disk and try again.'
    : 'Nothing was lost; try again.';
}

/** Failed write, which left the file unchanged. `message` is for users and names the file, the reason and the remedy. */
export class FileWriteError extends Error {
  readonly path: string;
  /** The system's code ("ENOSPC"); undefined without one. */
  readonly code: string | undefined;
  /** What the user can do about it, in one sentence. */
  readonly remedy: string;

  /** @param cause the system's error */
  constructor(path: string, cause: unknown) {
    const remedy = writeRemedy(path, cause);
    super(`${path} was not written: ${describeErrno(cause)}. ${remedy}`, { cause });
    this.name = 'FileWriteError';
    this.path = path;
    this.code = errnoOf(cause);
    this.remedy = remedy;
  }
}

/** Returns the system's error; for a FileWriteError, the system's error that caused it. */
export function systemErrorOf(error: unknown): unknown {
  return error instanceof FileWriteError ? error.cause : error;
}

function isDenied(code: string | undefined): boolean {
  return code === 'EACCES' || code === 'EPERM';
}

function isProtected(code: string | undefined): boolean {
  return isDenied(code) || code === 'EROFS';
}

function isFull(code: string | undefined): boolean {
  return code === 'ENOSPC' || code === 'EDQUOT';
}

/** Reason, for users, why a file cannot be used. Line and column count from 1. */
export interface FileProblem {
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
}

/** Returns the problem with its position in the file, if known. */
export function problemText({ message, line, column = 1 }: FileProblem): string {
  return line === undefined ? message : `${message} (line ${line}, column ${column})`;
}

/** Creates the error of an edit that is refused because the file cannot be used. */
export function brokenError(path: string, problem: FileProblem): PanelError {
  return new PanelError('CONFIG_BROKEN', `${basename(path)} was not written: ${problemText(problem)}`, {
    data: { path, ...problem },
    remedy: `Correct ${path}, or take its last good content from ${basename(path)}.bak.`,
  });
}

/** Creates the error of a failed write, which left the file unchanged. */
export function writeError(path: string, error: unknown): PanelError {
  const cause = systemErrorOf(error);
  const message = `${basename(path)} was not written: ${describeErrno(cause)}`;
  return new PanelError(isProtected(errnoOf(cause)) ? 'PERMISSION_DENIED' : 'CONFIG_BROKEN', message, {
    data: { path },
    remedy: writeRemedy(path, cause),
    cause,
  });
}

/** Creates the error of an edit that was given up because another program wrote the file during every attempt. */
export function contendedError(path: string): PanelError {
  const message = `${basename(path)} was not written: another program keeps writing it`;
  const remedy = 'Nothing was lost: wait until the other program is done, then try again.';
  return new PanelError('CONFIG_BROKEN', message, { data: { path }, remedy });
}

/** True if Windows refused to replace a file that a virus scanner or an editor has open, usually for a moment. */
export function isInUse(error: unknown): error is PanelError {
  if (process.platform !== 'win32' || !(error instanceof PanelError)) return false;
  return ['EPERM', 'EBUSY', 'EACCES'].includes(errnoOf(error.cause) ?? '');
}
