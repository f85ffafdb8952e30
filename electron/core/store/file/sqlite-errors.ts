import { errnoOf } from '../../errno.ts';
import { messageOf } from '../../../../shared/message-of.ts';

/** Primary result codes of SQLite, <https://sqlite.org/rescode.html>, which are the lowest byte of extended result codes. */
const ERROR = 1;
const BUSY = 5;
const LOCKED = 6;
const NO_MEMORY = 7;
const READ_ONLY = 8;
const IO_ERROR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANNOT_OPEN = 14;
const NOT_A_DATABASE = 26;
const PASSING: readonly (number | undefined)[] = [
  BUSY,
  LOCKED,
  NO_MEMORY,
  READ_ONLY,
  IO_ERROR,
  FULL,
  CANNOT_OPEN,
];

/** Thrown for a file that is not a usable history, such as another program's or a later version's. It is renamed and replaced. */
export class UnusableHistory extends Error {}

/** True if the file itself is damaged, so that a retry would fail again. */
export function isDamage(error: unknown): boolean {
  const code = resultCode(error);
  return error instanceof UnusableHistory || code === CORRUPT || code === NOT_A_DATABASE;
}

/** True if a statement does not match the tables of the file. */
export const isWrongStatement = (error: unknown): boolean => resultCode(error) === ERROR;

/** True for a problem that may go away, such as a full disk or a file locked by another program. A retry may then succeed. */
export const isPassing = (error: unknown): boolean => PASSING.includes(resultCode(error));

export const isReadOnly = (error: unknown): boolean => resultCode(error) === READ_ONLY;

/** Returns the cause as the end of a sentence, such as "the disk is full". */
export function inWords(error: unknown): string {
  const code = resultCode(error);
  if (code === FULL || errnoOf(error) === 'ENOSPC') return 'the disk is full';
  if (code === READ_ONLY || errnoOf(error) === 'EROFS') return 'it is read-only';
  if (errnoOf(error) === 'EACCES' || errnoOf(error) === 'EPERM') return 'there is no permission to write it';
  if (code === BUSY) return 'another program has it open';
  if (code === CANNOT_OPEN) return 'it cannot be opened or created there';
  if (code === CORRUPT) return 'it is damaged';
  if (code === NOT_A_DATABASE) return 'it is not a database';
  return messageOf(error);
}

function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined;
  return typeof error.errcode === 'number' ? error.errcode & 0xff : undefined;
}
