import type { LoginCapture } from './login-path.ts';
import { readShellEnvironment, type ShellQuestion } from './login-shell/read-shell-environment.ts';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

export interface LoginShellDeps extends ShellQuestion {
  /** The shell in the system's user database, used when `SHELL` is not set. */
  readonly userShell?: string | undefined;
}

/**
 * Captures the PATH of the user's login shell. An app started from a dock or menu has the system's PATH instead, which lacks
 * npx and uvx; an app started by npm finds programs of npm's folders first. Takes at most `timeoutMs` (10 s) and the time to
 * end the shell. Never rejects.
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
/** Folders below the home folder. Version managers come first, as their installers put them. */
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

/** Returns the existing well-known folders of programs, in the order of a PATH. Never rejects. */
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

/** Finds the version of nvm's default alias, or else the newest one, because nvm has no shims. */
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
