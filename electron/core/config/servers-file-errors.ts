import { basename } from 'node:path';
import { PanelError } from '../../../shared/error-codes.ts';
import { describeErrno, errnoOf } from './file-content.ts';
import type { ParsedServers } from './parse-servers.ts';

/** Why an edit is refused: the file cannot be used as it is. */
export function brokenError(path: string, parsed: ParsedServers): PanelError {
  const problem = parsed.kind === 'broken' ? parsed.problem : { message: 'it cannot be read' };
  const place = problem.line === undefined ? '' : ` (line ${problem.line}, column ${problem.column ?? 1})`;
  return new PanelError('CONFIG_BROKEN', `${basename(path)} was not written: ${problem.message}${place}`, {
    data: { path, ...problem },
    remedy: `Correct ${path}, or take its last good content from ${basename(path)}.bak.`,
  });
}

/** Why a write failed; the file is what it was. */
export function writeError(path: string, error: unknown): PanelError {
  const isDenied = ['EACCES', 'EPERM', 'EROFS'].includes(errnoOf(error) ?? '');
  const message = `${basename(path)} was not written: ${describeErrno(error)}`;
  return new PanelError(isDenied ? 'PERMISSION_DENIED' : 'CONFIG_BROKEN', message, {
    data: { path },
    remedy: isDenied ? `Allow writing to ${path} and to its folder.` : 'Nothing was lost; try again.',
    cause: error,
  });
}

/** Windows refuses to replace a file that a virus scanner or an editor holds open, mostly for a moment only. */
export function isInUse(error: unknown): error is PanelError {
  if (process.platform !== 'win32' || !(error instanceof PanelError)) return false;
  return ['EPERM', 'EBUSY', 'EACCES'].includes(errnoOf(error.cause) ?? '');
}
