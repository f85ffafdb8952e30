import { win32 } from 'node:path';
import { PanelError } from '../../../../shared/error-codes.ts';
import { programSearch, type FoundProgram } from '../program-search.ts';
import { commandNotFound, spawnError } from '../spawn-error.ts';
import { findWindowsProgram, suffixesOf, programDisk, type ProgramDisk } from './find-windows-program.ts';
import { systemProgram } from './system-program.ts';
import { withoutEnd } from '../../../../shared/text-edges.ts';

export interface ProgramStart {
  readonly file: string;
  readonly args: readonly string[];
  /** True when the arguments are one line that is already quoted. */
  readonly isQuoted?: boolean;
}

interface ProgramRequest {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string | undefined;
  readonly found?: FoundProgram | undefined;
}

/** A file to start, with its arguments and the original request. */
interface Job {
  readonly file: string;
  readonly args: readonly string[];
  readonly request: ProgramRequest;
  readonly disk: ProgramDisk;
}

const PLATFORM = 'win32';
/**
 * Suffixes of scripts in PATHEXT that Windows opens with a program that shows windows, such as the Windows Script Host. Such
 * scripts are not started as servers.
 */
const WINDOW_SCRIPTS = new Set(['.vbs', '.vbe', '.js', '.jse', '.wsf', '.wsh', '.msc']);

/**
 * Determines how a program is started on Windows: directly, or through cmd.exe, PowerShell, or the interpreter named in its
 * first line. @throws PanelError COMMAND_NOT_FOUND, PERMISSION_DENIED, CONFIG_INVALID for arguments that cannot be passed to a
 * batch file, START_FAILED
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
  // If the interpreter is itself a script, `startOf` could recurse forever.
  return /\.(?:exe|com|cmd|bat)$/i.test(found.file) ? startOf(next) : byAssociation(next);
}

/** Starts a file with the program that Windows associates with its suffix, through cmd.exe. PATHEXT must list the suffix. */
function byAssociation(job: Job): ProgramStart {
  const { file, request } = job;
  const suffix = win32.extname(file).toLowerCase();
  const { pathExt } = programSearch(request.command, request.env, PLATFORM);
  if (!suffixesOf(pathExt).includes(suffix) || WINDOW_SCRIPTS.has(suffix))
    throw systemError('ENOEXEC', request);
  return byCommandShell(job);
}

/**
 * Starts a file through cmd.exe: without AutoRun commands (`/d`), with command extensions, on which the quoting relies
 * (`/e:on`), and without expansion of `!` (`/v:off`).
 */
function byCommandShell({ file, args, request }: Job): ProgramStart {
  const index = unquotable(args);
  if (index !== undefined) throw unquotableError(args, index, file);
  const characters = args.reduce((sum, { length }) => sum + length + 1, file.length);
  // Quoting only makes a line longer, so there is no need to quote one that is already too long.
  const line = characters > MAX_LINE_CHARACTERS ? undefined : batchLine(file, args);
  if (line === undefined || line.length > MAX_LINE_CHARACTERS) throw systemError('E2BIG', request);
  const shell = systemProgram('cmd.exe', request.env);
  return { file: shell, args: ['/d', '/e:on', '/v:off', '/s', '/c', line], isQuoted: true };
}

/** Reads the file's start. Detects missing access rights before cmd.exe or PowerShell reports them in the system's language. */
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
  const phrase = `argument ${index + 1} contains a line break or a NUL, which cannot be passed to a batch file (${name})`;
  return new PanelError('CONFIG_INVALID', `A${phrase.slice(1)}.`, {
    remedy: `Take it out of the argument, or give the program that ${name} runs as "command" (node.exe, say), which accepts anything.`,
    data: { wrong: args[index] },
    short: { phrase },
  });
}

interface Interpreter {
  readonly command: string;
  readonly args: readonly string[];
}

/**
 * Reads the interpreter from a script's first line (`#!/usr/bin/env node`). Only its name is used, because its path is one of a
 * Unix system. Undefined if the line names no interpreter. @param head the first characters of the script
 */
function interpreterOf(head: string): Interpreter | undefined {
  const words =
    /^#![ \t]*([^\r\n]+)/
      .exec(head)?.[1]
      ?.trim()
      .split(/[ \t]+/) ?? [];
  const nameOf = (word: string) => word.split(/[\\/]/).at(-1) ?? '';
  const isLookedUp = nameOf(words[0] ?? '') === 'env';
  const [command, ...args] = isLookedUp ? words.slice(words[1] === '-S' ? 2 : 1) : words;
  const name = nameOf(command ?? '');
  return name === '' ? undefined : { command: name, args };
}

/** Maximum characters of a command line of cmd.exe, which silently drops the rest. */
const MAX_LINE_CHARACTERS = 8191;

/** Matches words that have no characters with a meaning for cmd.exe or for the program that receives them. */
const PLAIN = /^[\w#$*+./:?@\\-]+$/;

/**
 * Returns the line that makes cmd.exe run a batch file with these arguments; it follows `/s /c` unchanged. cmd.exe parses the
 * arguments twice, on this line and at `%*` in the file, and the program that receives them parses them a third time. Therefore
 * - everything is quoted, so that `& | < > ^ ( )` are literal both times;
 * - a quote is doubled, because the first two parsers then stay inside the quotes, as they would not after `\"`, and the third
 * parser reads both quotes as one;
 * - each `%` is followed by an empty variable, so that there is never a variable name between two `%`. Line breaks cannot be
 * quoted: see `unquotable`.
 */
export function batchLine(file: string, args: readonly string[]): string {
  return `"${[`"${withoutVariables(file)}"`, ...args.map(quoted)].join(' ')}"`;
}

/** Returns the index of the first argument that cannot be passed to a batch file; undefined if all can. */
export function unquotable(args: readonly string[]): number | undefined {
  const index = args.findIndex((arg) => /[\r\n]/.test(arg) || arg.includes('\0'));
  return index === -1 ? undefined : index;
}

function quoted(arg: string): string {
  if (PLAIN.test(arg) && !arg.endsWith('\\')) return arg;
  // Backslashes are literal unless a quote follows.
  const doubled = arg.split('"').map(withEndDoubled).join('""');
  return `"${withoutVariables(doubled)}"`;
}

const withEndDoubled = (part: string): string => part + part.slice(withoutEnd(part, '\\').length);

const withoutVariables = (text: string): string => text.replaceAll('%', '%%cd:~,%');
