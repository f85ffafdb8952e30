import { win32 } from 'node:path';
import { PanelError } from '../../../shared/error-codes.ts';
import { asSentence } from '../phrases.ts';
import { namesPlace, programSearch } from './program-search.ts';
import { ownValue } from '../../../shared/own-value.ts';

interface FailedSpawn {
  readonly command: string;
  readonly env: Readonly<Record<string, string>>;
}

const NO_PROGRAM =
  'The file is not a program for this machine: install the one for its system and processor, or name what runs it (node, python) as the command and the file as its first argument.';
const TOO_LONG =
  'The arguments and variables of the entry are too long for the system: put long values into a file.';

/** Remedies for a failed spawn, by the system's error code. */
const REMEDIES: Readonly<Record<string, string>> = {
  EAGAIN: 'The system allows this user no more processes: close programs, or raise the limit (ulimit -u).',
  EMFILE:
    'The panel has too many files open: stop servers that are not needed, or raise the limit (ulimit -n).',
  ENFILE: 'The system has too many files open: close programs, or raise the limit of the system.',
  ENOMEM: 'The system is short of memory: stop servers or close programs.',
  E2BIG: TOO_LONG,
  ENAMETOOLONG: TOO_LONG,
  ENOEXEC: NO_PROGRAM,
  // Error of Windows for a file that is not a program, or a program for another processor type; libuv before 1.47 did not map
  // this error.
  EFTYPE: NO_PROGRAM,
};
const REMEDY = 'Run the command in a terminal to see whether it starts there, then restart the panel.';
const WHY: Readonly<Record<string, string>> = {
  ENOEXEC: 'its file is not a program that this system can run',
  EFTYPE: 'its file is not a program that this system can run',
};

interface NotFoundOptions {
  /** The command that the user probably meant; undefined if no command has a similar name. */
  readonly suggestion?: string | undefined;
  /** The script that requires the command as its interpreter; undefined if there is none. */
  readonly neededBy?: string | undefined;
  readonly platform?: NodeJS.Platform;
  readonly cause?: unknown;
}

/** @param path the PATH that was searched */
export function commandNotFound(
  command: string,
  path: string,
  { suggestion, neededBy, platform = process.platform, cause }: NotFoundOptions = {},
): PanelError {
  const isPlace = namesPlace(command, platform);
  const script = neededBy === undefined ? '' : `, by which ${win32.basename(neededBy)} is run,`;
  const phrase = `the command "${command}"${script} was not found`;
  const tried = isPlace ? '' : ` PATH tried: ${path || '(empty)'}`;
  const remedy = isPlace
    ? 'correct its path, or install the missing program.'
    : `install "${command}", or give its full path as "command".`;
  return new PanelError('COMMAND_NOT_FOUND', `${asSentence(phrase)}${tried}`, {
    remedy:
      suggestion === undefined
        ? `${remedy.charAt(0).toUpperCase()}${remedy.slice(1)}`
        : `Write "${suggestion}" if you meant that; otherwise ${remedy}`,
    data: { command, path, wrong: command, ...(suggestion !== undefined && { suggestion }) },
    short: { phrase, ...(!isPlace && { hasMore: true }) },
    cause,
  });
}

/** Converts the system error of a failed spawn to an error for users. `error.code` is the system's error code. */
export function spawnError(
  error: Error & { code?: string },
  request: FailedSpawn,
  platform: NodeJS.Platform = process.platform,
): PanelError {
  const { command } = request;
  switch (error.code) {
    case 'ENOENT':
      return commandNotFound(command, programSearch(command, request.env, platform).path ?? '', {
        platform,
        cause: error,
      });
    case 'EACCES':
    case 'EPERM':
      return notPermitted(command, platform, error);
    default: {
      const why = ownValue(WHY, error.code ?? '') ?? error.message;
      const phrase = `the command "${command}" could not be started: ${why}`;
      return new PanelError('START_FAILED', asSentence(phrase), {
        remedy: ownValue(REMEDIES, error.code ?? '') ?? REMEDY,
        short: { phrase },
        cause: error,
      });
    }
  }
}

function notPermitted(command: string, platform: NodeJS.Platform, cause: Error): PanelError {
  const phrase = `the command "${command}" may not be executed by this user`;
  return new PanelError('PERMISSION_DENIED', asSentence(phrase), {
    remedy:
      platform === 'win32'
        ? `Check that "${command}" is a file, not a folder, that this user may read and execute it (Properties › Security), and that it asks for no administrator rights.`
        : `Make "${command}" an executable file, and its folder accessible.`,
    data: { wrong: command },
    short: { phrase },
    cause,
  });
}
