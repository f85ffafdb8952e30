import { PanelError } from '../../../shared/error-codes.ts';
import { asSentence } from '../phrases.ts';

/** The part of a request to spawn that an error tells of. */
interface FailedSpawn {
  readonly command: string;
  readonly env: Readonly<Record<string, string>>;
}

/** What a person can do about a spawn that failed, by the system's code. */
const REMEDIES: Readonly<Record<string, string>> = {
  EAGAIN: 'The system allows this user no more processes: close programs, or raise the limit (ulimit -u).',
  EMFILE:
    'The panel has too many files open: stop servers that are not needed, or raise the limit (ulimit -n).',
  ENFILE: 'The system has too many files open: close programs, or raise the limit of the system.',
  ENOMEM: 'The system is short of memory: stop servers or close programs.',
  E2BIG:
    'The arguments and variables of the entry are too long for the system: put what is long into a file.',
  ENOEXEC: 'The file is no program for this machine: install the one for its system and processor.',
};
const REMEDY = 'Run the command in a terminal to see whether it starts there, then restart the panel.';

interface NotFoundOptions {
  /** The command that was probably meant. */
  readonly suggestion?: string | undefined;
  readonly cause?: unknown;
}

/** @param path the PATH that was searched */
export function commandNotFound(
  command: string,
  path: string,
  { suggestion, cause }: NotFoundOptions = {},
): PanelError {
  const phrase = `the command "${command}" was not found`;
  const message = `${asSentence(phrase)} PATH tried: ${path || '(empty)'}`;
  return new PanelError('COMMAND_NOT_FOUND', message, {
    remedy:
      suggestion === undefined
        ? `Install "${command}", or give its full path as "command".`
        : `Write "${suggestion}" if that was meant; else install "${command}", or give its full path as "command".`,
    data: { command, path, wrong: command, ...(suggestion !== undefined && { suggestion }) },
    short: { phrase, hasMore: true },
    cause,
  });
}

/** An error of the system for `request`, in words. `error.code` is the system's. */
export function spawnError(error: Error & { code?: string }, request: FailedSpawn): PanelError {
  const name = `"${request.command}"`;
  const path = request.env['PATH'] ?? request.env['Path'] ?? '';
  switch (error.code) {
    case 'ENOENT':
      return commandNotFound(request.command, path, { cause: error });
    case 'EACCES':
    case 'EPERM': {
      const phrase = `the command ${name} may not be executed by this user`;
      return new PanelError('PERMISSION_DENIED', asSentence(phrase), {
        remedy: `Make ${name} an executable file, and its folder accessible.`,
        data: { wrong: request.command },
        short: { phrase },
        cause: error,
      });
    }
    default: {
      const phrase = `the command ${name} could not be started: ${error.message}`;
      return new PanelError('START_FAILED', asSentence(phrase), {
        remedy: REMEDIES[error.code ?? ''] ?? REMEDY,
        short: { phrase },
        cause: error,
      });
    }
  }
}
