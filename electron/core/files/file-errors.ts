import { errnoOf } from '../errno.ts';
import { messageOf } from '../../../shared/message-of.ts';

/** Why a file operation failed, for people. */
export function describeErrno(error: unknown): string {
  const code = errnoOf(error);
  if (isDenied(code)) return `permission denied (${code})`;
  if (code === 'EROFS') return 'the file system is read-only (EROFS)';
  if (isFull(code)) return `there is no space left (${code})`;
  return messageOf(error);
}

/** What a person can do about a write that failed, one sentence. */
export function writeRemedy(path: string, error: unknown): string {
  const code = errnoOf(error);
  if (isDenied(code) || code === 'EROFS') return `Allow writing to ${path} and to its folder.`;
  return isFull(code)
    ? 'Nothing was lost: make room on the disk and try again.'
    : 'Nothing was lost; try again.';
}

/** A file was not written, and is what it was. `message` is for people and names the file, the reason and the remedy. */
export class FileWriteError extends Error {
  readonly path: string;
  /** The system's code ("ENOSPC"), where it gave one. */
  readonly code: string | undefined;
  /** One sentence. */
  readonly remedy: string;

  /** @param cause what the system said. */
  constructor(path: string, cause: unknown) {
    const remedy = writeRemedy(path, cause);
    super(`${path} was not written: ${describeErrno(cause)}. ${remedy}`, { cause });
    this.name = 'FileWriteError';
    this.path = path;
    this.code = errnoOf(cause);
    this.remedy = remedy;
  }
}

/** What the system said, also of an error that a write of ours was told with. */
export function systemErrorOf(error: unknown): unknown {
  return error instanceof FileWriteError ? error.cause : error;
}

function isDenied(code: string | undefined): boolean {
  return code === 'EACCES' || code === 'EPERM';
}

function isFull(code: string | undefined): boolean {
  return code === 'ENOSPC' || code === 'EDQUOT';
}
