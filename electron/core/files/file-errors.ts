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
export function writeRemedy(path: string, error: unknown): string {
  const code = errnoOf(error);
  if (isDenied(code) || code === 'EROFS') return `Allow writing to ${path} and to its folder.`;
  return isFull(code)
    ? 'Nothing was lost: make room on the disk and try again.'
    : 'Nothing was lost; try again.';
}

/** Failed write, which left the file unchanged. `message` is for users and names the file, the reason and the remedy. */
export class FileWriteError extends Error {
  readonly path: string;
  /** The system's code ("ENOSPC"); undefined without one. */
  readonly code: string | undefined;
  /** Remedy in one sentence. */
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

/** Returns the system's error, also from inside a FileWriteError. */
export function systemErrorOf(error: unknown): unknown {
  return error instanceof FileWriteError ? error.cause : error;
}

function isDenied(code: string | undefined): boolean {
  return code === 'EACCES' || code === 'EPERM';
}

function isFull(code: string | undefined): boolean {
  return code === 'ENOSPC' || code === 'EDQUOT';
}
