import type { LoginCapture } from './login-capture.ts';
import { findKnownFolders } from './login-shell/known-folders.ts';
import { readShellEnvironment } from './login-shell/read-shell-environment.ts';
import type { OwnedProcessDeps } from './owned-process.ts';

export interface LoginShellDeps extends OwnedProcessDeps {
  readonly platform: NodeJS.Platform;
  /** The environment of this process: its `SHELL`, and what the shell starts with. */
  readonly parent: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** The shell in the system's list of people, for when `SHELL` is not set. */
  readonly userShell?: string | undefined;
  /** A fresh random text of letters and digits. */
  readonly createMarker: () => string;
  /** Which variables are wanted beside PATH. Default: none. */
  readonly isWanted?: (name: string) => boolean;
  /** Whether the capture keeps every variable, for entries of other clients that name some of them. Default: no. */
  readonly keepsAll?: boolean;
  readonly timeoutMs?: number;
}

/** Version managers take a second or two on a quiet machine; without an answer servers may get other programs. */
const TIMEOUT_MS = 10_000;

/**
 * The PATH of the person's login shell. An app that was started from a dock or a menu has the system's instead, in which
 * neither npx nor uvx is found; one that was started by npm has other programs first. Bounded by `timeoutMs` (10 s) and the moment it takes to end the shell. Never rejects.
 */
export async function captureLoginPath(deps: LoginShellDeps, signal?: AbortSignal): Promise<LoginCapture> {
  // On Windows, apps have the same PATH wherever they are started from.
  if (deps.platform === 'win32') return { source: 'none' };
  const { platform, parent, home, createMarker, timeoutMs = TIMEOUT_MS } = deps;
  const shell = parent['SHELL'] || deps.userShell || '/bin/sh';
  const question = { shell, platform, parent, home, createMarker, timeoutMs };
  const answer = await readShellEnvironment(deps, question, signal);
  if (answer.kind === 'problem') return fallback(home, answer.problem);
  const path = answer.variables.get('PATH');
  if (path === undefined || path === '') return fallback(home, `${shell} has no PATH`);
  const { isWanted = () => false, keepsAll = false } = deps;
  const wanted = [...answer.variables].filter(([name]) => isWanted(name));
  return {
    path,
    source: 'shell',
    ...(wanted.length > 0 && { variables: Object.fromEntries(wanted) }),
    ...(keepsAll && { all: answer.variables }),
  };
}

async function fallback(home: string, problem: string): Promise<LoginCapture> {
  const folders = await findKnownFolders(home);
  return folders.length === 0
    ? { source: 'none', problem }
    : { path: folders.join(':'), source: 'fallback', problem };
}
