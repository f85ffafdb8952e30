import type { LoginCapture } from './login-path.ts';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, basename, posix } from 'node:path';
import { createDeferred } from '../deferred.ts';
import { settlesWithin } from '../wait.ts';
import { childEnvironment } from './child-environment.ts';
import type { StopGraces } from './hosted-run.ts';
import { OwnedProcess, type OwnedProcessDeps } from './owned-process.ts';
import type { ExitStatus } from './spawner.ts';
import { messageOf } from '../../../shared/message-of.ts';
import { ownEnvironment } from './user-environment.ts';
import { ownValue } from '../../../shared/own-value.ts';

export interface LoginShellDeps extends ShellQuestion {
  /** The shell in the system's user database, used when `SHELL` is not set. */
  readonly userShell?: string | undefined;
}

/**
 * Captures the PATH of the user's login shell. If the panel was started from a dock or menu, its own PATH is that of the
 * system, which lacks the folders of npx and uvx. If npm started it, programs in npm's folders would be found first. Takes at
 * most `timeoutMs` (10 s), and the time until the shell has ended. Never rejects.
 */
export async function captureLoginPath(deps: LoginShellDeps, signal?: AbortSignal): Promise<LoginCapture> {
  // On Windows, the PATH of an app does not depend on how it was started.
  if (deps.platform === 'win32') return { source: 'none' };
  const { parent, home } = deps;
  const shell = parent['SHELL'] || deps.userShell || '/bin/sh';
  const answer = await readShellEnvironment(shell, deps, signal);
  if (answer.kind === 'problem') return fallback(home, answer.problem);
  const { variables } = answer;
  const path = variables.get('PATH');
  return path ? { path, source: 'shell', variables } : fallback(home, `${shell} has no PATH`);
}

async function fallback(home: string, problem: string): Promise<LoginCapture> {
  const folders = await findKnownFolders(home);
  return folders.length === 0
    ? { source: 'none', problem }
    : { path: folders.join(':'), source: 'fallback', problem };
}

/** Folders of package managers that serve all users of a machine. */
const SYSTEM_FOLDERS = [
  '/opt/homebrew/bin',
  '/home/linuxbrew/.linuxbrew/bin',
  '/usr/local/bin',
  '/nix/var/nix/profiles/default/bin',
  '/snap/bin',
];
/**
 * Folders of programs below the home folder. Those of version managers come first, because the installers of version managers
 * also put them first in the PATH.
 */
const HOME_FOLDERS = [
  '.volta/bin',
  '.local/share/fnm/aliases/default/bin',
  'Library/Application Support/fnm/aliases/default/bin',
  '.local/share/mise/shims',
  '.asdf/shims',
  '.pyenv/shims',
  '.local/bin',
  '.cargo/bin',
  '.bun/bin',
  '.deno/bin',
  '.local/share/pnpm',
  'Library/pnpm',
  'go/bin',
  '.nix-profile/bin',
];
const NVM = '.nvm';

/** Returns those of the well-known program folders that exist, in the order of a PATH. Never rejects. */
async function findKnownFolders(home: string): Promise<readonly string[]> {
  const nvm = await findNvmFolder(join(home, NVM));
  const wanted = [
    ...(nvm === undefined ? [] : [nvm]),
    ...HOME_FOLDERS.map((folder) => join(home, folder)),
    ...SYSTEM_FOLDERS,
  ];
  const exist = await Promise.all(wanted.map(isFolder));
  return wanted.filter((_, index) => exist[index]);
}

/**
 * Returns the folder of the Node version that nvm uses by default, or else of the newest one. nvm has no shims in a fixed
 * folder.
 */
async function findNvmFolder(nvm: string): Promise<string | undefined> {
  const versions = await readdir(join(nvm, 'versions', 'node')).catch((): string[] => []);
  const newestFirst = versions.sort((one, other) => other.localeCompare(one, 'en', { numeric: true }));
  const alias = (await readFile(join(nvm, 'alias', 'default'), 'utf8').catch(() => ''))
    .trim()
    .replace(/^v/, '');
  const chosen =
    newestFirst.find((version) => alias !== '' && `${version}.`.startsWith(`v${alias}.`)) ?? newestFirst[0];
  return chosen === undefined ? undefined : join(nvm, 'versions', 'node', chosen, 'bin');
}

async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory() === true;
}

interface ShellQuestion extends OwnedProcessDeps {
  readonly platform: NodeJS.Platform;
  /** Environment of the panel. Its `SHELL` and the variables of the desktop session are taken from here. */
  readonly parent: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly createMarker: () => string;
  readonly timeoutMs?: number;
}

type ShellAnswer =
  | { readonly kind: 'environment'; readonly variables: ReadonlyMap<string, string> }
  | { readonly kind: 'problem'; readonly problem: string };

/**
 * Maximum ms to wait for the shell's answer. Version managers take a second or two. Without an answer, the panel uses
 * well-known folders instead, so commands may resolve to other programs than in a terminal.
 */
const TIMEOUT_MS = 10_000;
/** Maximum bytes of the shell's output that are read; a login banner is never this long. */
const MAX_OUTPUT_BYTES = 4 * 1024 * 1024;
/**
 * Grace times for ending the shell. If it has answered, it gets time to finish its exit work; otherwise it gets SIGTERM
 * immediately. SIGKILL comes only 2 s later: a program that the shell runs may hold a lock, which it releases on SIGTERM, and
 * for which its next start would wait (for a minute, with pyenv).
 */
const AFTER_ANSWER: StopGraces = { stopGraceMs: 500, killGraceMs: 500 };
const AT_ONCE: StopGraces = { stopGraceMs: 0, killGraceMs: 2000 };
/** Variables that suppress what would block a shell without a user: update questions, terminal multiplexers, colours. */
const QUIET = { TERM: 'dumb', DISABLE_AUTO_UPDATE: 'true', ZSH_TMUX_AUTOSTART: 'false' };

/**
 * Reads the environment that a shell has after a fresh login. The shell runs in its own process session, without a terminal and
 * with an empty stdin. The answer counts once it is complete, even if another process still has the output open. When the
 * returned promise resolves, no process that the shell started is left, not even a daemon. Never rejects.
 */
async function readShellEnvironment(
  shell: string,
  question: ShellQuestion,
  signal?: AbortSignal,
): Promise<ShellAnswer> {
  const { home, createMarker, timeoutMs = TIMEOUT_MS } = question;
  const name = basename(shell);
  const marks = { begin: createMarker(), middle: createMarker(), end: createMarker() };
  const command = shellCommand(shell, marks);
  if (command === undefined) return problem(`${name} cannot be asked for its environment`);
  const marker = createMarker();
  const env = childEnvironment({ inherited: loginEnvironment(shell, question), entry: QUIET, marker });
  let owned: OwnedProcess;
  try {
    owned = await OwnedProcess.spawn(question, { ...command, env, cwd: home }, marker);
  } catch (error) {
    return problem(messageOf(error));
  }
  const answer = await listen(question, owned, marks, timeoutMs, signal);
  await owned.end(answer.kind === 'environment' ? AFTER_ANSWER : AT_ONCE);
  return answer.kind === 'environment' ? answer : problem(`${name} ${answer.problem}`);
}

async function listen(
  { clock }: OwnedProcessDeps,
  owned: OwnedProcess,
  marks: Marks,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<ShellAnswer> {
  const stopped = createDeferred<void>();
  const parts: Buffer[] = [];
  let length = 0;
  let tail = '';
  owned.readStdout({
    onPart: (part) => {
      if (length > MAX_OUTPUT_BYTES) return;
      parts.push(part);
      length += part.length;
      // Only the new part and the end of the previous one are searched, because searching all output for each part would take
      // quadratic time.
      const seen = tail + part.toString('latin1');
      tail = seen.slice(-marks.end.length);
      if (length > MAX_OUTPUT_BYTES || seen.includes(marks.end)) stopped.resolve();
    },
  });
  owned.readStderr({ onPart: () => undefined });
  // Ignores the write error that occurs if the shell exits without reading its stdin.
  owned.stdin.on('error', () => undefined).end();
  const onAbort = () => stopped.resolve();
  signal?.addEventListener('abort', onAbort, { once: true });
  if (signal?.aborted) onAbort();
  let exit: ExitStatus | undefined;
  const ended = owned.drained.then((status) => (exit = status));
  const isInTime = await settlesWithin(clock, Promise.race([stopped.promise, ended]), timeoutMs);
  signal?.removeEventListener('abort', onAbort);
  const variables = parseEnvironment(Buffer.concat(parts).toString('utf8'), marks);
  if (variables !== undefined) return { kind: 'environment', variables };
  if (signal?.aborted) return problem('was ended before it answered');
  if (length > MAX_OUTPUT_BYTES) return problem('printed megabytes instead of its environment');
  if (!isInTime) return problem(`did not tell its environment within ${timeoutMs} ms`);
  return problem(`ended ${describe(exit)} without telling its environment`);
}

function describe(exit: ExitStatus | undefined): string {
  return exit?.signal === undefined ? `with code ${exit?.exitCode ?? 0}` : `by ${exit.signal}`;
}

function problem(text: string): Extract<ShellAnswer, { kind: 'problem' }> {
  return { kind: 'problem', problem: text };
}

/**
 * Variables that a desktop session has before any shell runs: language, time zone, folders, display, agents. The other
 * variables in the panel's environment (an activated venv, "already set up" flags of a profile, an extended PATH) come from
 * shells. They would make the new shell skip its set-up or repeat it.
 */
const OF_SESSION =
  /^(USER|LOGNAME|LANG|LANGUAGE|LC_.*|TZ|TMPDIR|XDG_.*|ZDOTDIR|DISPLAY|XAUTHORITY|WAYLAND_DISPLAY|DBUS_SESSION_BUS_ADDRESS|SSH_AUTH_SOCK|WSL_.*|WSLENV|__CF_USER_TEXT_ENCODING)$/;
/** Initial PATHs of login(1), systemd and launchd. */
const LINUX_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const MACOS_PATH = '/usr/bin:/bin:/usr/sbin:/sbin';

/** Returns the environment that a login gives to a shell, before the user's profile changes it. */
function loginEnvironment(shell: string, { parent, platform, home }: ShellQuestion): Record<string, string> {
  const session = Object.entries(ownEnvironment(parent)).filter(([name]) => OF_SESSION.test(name));
  const path = platform === 'darwin' ? MACOS_PATH : LINUX_PATH;
  return { ...Object.fromEntries(session), HOME: home, SHELL: shell, PATH: path };
}

interface ShellCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/**
 * Texts that the shell prints before, between and after two lists of its variables. The entries of the first list are separated
 * by NUL. The second list is plain, for an `env` that does not support `-0`.
 */
interface Marks {
  readonly begin: string;
  readonly middle: string;
  readonly end: string;
}

/**
 * Flags by name of the shell. `-l` makes it read the login files, `-i` the files of an interactive shell, in which most users
 * set their PATH. A plain sh does not read more files with `-i`, and prints a warning; csh does not accept `-l` together with
 * `-c`. Shells with their own languages (nu, pwsh, xonsh) are not listed.
 */
const FLAGS: Readonly<Record<string, string>> = {
  bash: '-ilc',
  zsh: '-ilc',
  fish: '-ilc',
  sh: '-lc',
  dash: '-lc',
  ash: '-lc',
  ksh: '-lc',
  mksh: '-lc',
  csh: '-c',
  tcsh: '-c',
};

/** Returns the command that makes the shell print its environment; undefined for a shell with another command syntax. */
function shellCommand(shell: string, marks: Marks): ShellCommand | undefined {
  const name = posix.basename(shell);
  const flags = ownValue(FLAGS, name);
  if (flags === undefined) return undefined;
  const script = [
    printMark(marks.begin),
    '/usr/bin/env -0',
    printMark(marks.middle),
    '/usr/bin/env',
    printMark(marks.end),
  ];
  return { command: shell, args: [flags, script.join('; ')] };
}

/** Prints the mark in two halves, so that a shell that echoes its command line does not print the whole mark. */
function printMark(mark: string): string {
  const half = Math.ceil(mark.length / 2);
  return `printf '%s%s' ${mark.slice(0, half)} ${mark.slice(half)}`;
}

/** Returns the variables between the marks; undefined while the output is incomplete. */
function parseEnvironment(output: string, marks: Marks): ReadonlyMap<string, string> | undefined {
  const begin = output.indexOf(marks.begin);
  const middle = output.indexOf(marks.middle, begin);
  const end = output.indexOf(marks.end, middle);
  if (begin === -1 || middle === -1 || end === -1) return undefined;
  const exact = output.slice(begin + marks.begin.length, middle);
  const pairs = exact.includes('\0')
    ? exact.split('\0')
    : output.slice(middle + marks.middle.length, end).split('\n');
  return new Map(
    pairs.flatMap((pair) => {
      const equals = pair.indexOf('=');
      return equals > 0 ? [[pair.slice(0, equals), pair.slice(equals + 1)]] : [];
    }),
  );
}
