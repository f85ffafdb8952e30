import { win32 } from 'node:path';
import { PanelError } from '../../../../shared/error-codes.ts';
import { programSearch, type FoundProgram } from '../program-search.ts';
import { commandNotFound, spawnError } from '../spawn-error.ts';
import { batchLine, MAX_LINE_CHARACTERS, unquotable } from './batch-line.ts';
import { findWindowsProgram, suffixesOf } from './find-windows-program.ts';
import { interpreterOf } from './interpreter.ts';
import { programDisk, type ProgramDisk } from './program-disk.ts';
import { systemProgram } from './system-program.ts';

/** File and arguments that the system runs. */
export interface ProgramStart {
  readonly file: string;
  readonly args: readonly string[];
  /** True when the arguments are one line that is already quoted. */
  readonly isQuoted?: boolean;
}

/** Part of a spawn request that selects the program. */
export interface ProgramRequest {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string | undefined;
  readonly found?: FoundProgram | undefined;
}

/** A file with its arguments. */
interface Job {
  readonly file: string;
  readonly args: readonly string[];
  readonly request: ProgramRequest;
  readonly disk: ProgramDisk;
}

const PLATFORM = 'win32';
/** Suffixes of scripts in PATHEXT for the Windows Script Host, which shows their output in windows. */
const WINDOW_SCRIPTS = new Set(['.vbs', '.vbe', '.js', '.jse', '.wsf', '.wsh', '.msc']);

/**
 * Resolves how a program starts on Windows: directly, or by cmd.exe, PowerShell, or the interpreter of its first line.
 * @throws PanelError COMMAND_NOT_FOUND, PERMISSION_DENIED, CONFIG_INVALID for arguments that a batch file cannot be given,
 * START_FAILED
 */
export async function windowsStart(
  request: ProgramRequest,
  disk: ProgramDisk = programDisk,
): Promise<ProgramStart> {
  const { command, args, env, cwd } = request;
  const found =
    request.found ?? (await findWindowsProgram({ ...programSearch(command, env, PLATFORM), cwd }, disk));
  if ('code' in found) throw systemError(found.code, request);
  return startOf({ file: found.file, args, request, disk });
}

async function startOf(job: Job): Promise<ProgramStart> {
  const { file, args, request } = job;
  switch (win32.extname(file).toLowerCase()) {
    case '.exe':
    case '.com':
      return { file, args };
    case '.cmd':
    case '.bat':
      await headOf(job);
      return byCommandShell(job);
    case '.ps1':
      await headOf(job);
      return {
        file: systemProgram(String.raw`WindowsPowerShell\v1.0\powershell.exe`, request.env),
        args: ['-NoLogo', '-NoProfile', '-NonInteractive', '-File', file, ...args],
      };
    default:
      return ofScript(job);
  }
}

async function ofScript(job: Job): Promise<ProgramStart> {
  const { file, args, request, disk } = job;
  const interpreter = interpreterOf(await headOf(job));
  if (interpreter === undefined) return byAssociation(job);
  const search = programSearch(interpreter.command, request.env, PLATFORM);
  const found = await findWindowsProgram(search, disk);
  if ('code' in found)
    throw commandNotFound(interpreter.command, search.path ?? '', { neededBy: file, platform: PLATFORM });
  const next = { ...job, file: found.file, args: [...interpreter.args, file, ...args] };
  // An interpreter that is a script itself could recurse forever.
  return /\.(?:exe|com|cmd|bat)$/i.test(found.file) ? startOf(next) : byAssociation(next);
}

/** Starts a file through its association if PATHEXT lists its suffix; no other file can be started. */
function byAssociation(job: Job): ProgramStart {
  const { file, request } = job;
  const suffix = win32.extname(file).toLowerCase();
  const { pathExt } = programSearch(request.command, request.env, PLATFORM);
  if (!suffixesOf(pathExt).includes(suffix) || WINDOW_SCRIPTS.has(suffix))
    throw systemError('ENOEXEC', request);
  return byCommandShell(job);
}

/**
 * Runs cmd.exe without the user's AutoRun commands (`/d`), with the extensions that the quoting needs (`/e:on`), and without
 * expansion of `!` (`/v:off`).
 */
function byCommandShell({ file, args, request }: Job): ProgramStart {
  const index = unquotable(args);
  if (index !== undefined) throw unquotableError(args, index, file);
  const characters = args.reduce((sum, { length }) => sum + length + 1, file.length);
  // Quoting only makes a line longer, so a line that is too long is not quoted.
  const line = characters > MAX_LINE_CHARACTERS ? undefined : batchLine(file, args);
  if (line === undefined || line.length > MAX_LINE_CHARACTERS) throw systemError('E2BIG', request);
  const shell = systemProgram('cmd.exe', request.env);
  return { file: shell, args: ['/d', '/e:on', '/v:off', '/s', '/c', line], isQuoted: true };
}

/** Reads the start of the file. This detects missing rights, which cmd.exe and PowerShell would report in the system's language. */
async function headOf({ file, request, disk }: Job): Promise<string> {
  try {
    return await disk.readHead(file);
  } catch (error) {
    throw error instanceof Error ? spawnError(error, request, PLATFORM) : error;
  }
}

function systemError(code: string, request: ProgramRequest): PanelError {
  return spawnError(Object.assign(new Error(code), { code }), request, PLATFORM);
}

function unquotableError(args: readonly string[], index: number, file: string): PanelError {
  const name = win32.basename(file);
  const phrase = `argument ${index + 1} holds a line break or a NUL, which no batch file (${name}) can be given`;
  return new PanelError('CONFIG_INVALID', `A${phrase.slice(1)}.`, {
    remedy: `Take it out of the argument, or give the program that ${name} runs as "command" (node.exe, say), which can be given anything.`,
    data: { wrong: args[index] },
    short: { phrase },
  });
}
