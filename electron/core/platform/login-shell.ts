import type { LoginCapture } from './login-capture.ts';
import { findKnownFolders } from './login-shell/known-folders.ts';
import { readShellEnvironment } from './login-shell/read-shell-environment.ts';
import type { OwnedProcessDeps } from './owned-process.ts';

export interface LoginShellDeps extends OwnedProcessDeps {
  readonly platform: NodeJS.Platform;
  /** Environment of the panel: its `SHELL`, and the variables that the shell starts with. */
  readonly parent: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** The shell in the system's user database, used when `SHELL` is not set. */
  readonly userShell?: string | undefined;
  /** Returns a new random text of letters and digits. */
  readonly createMarker: () => string;
  /** Selects the requested variables beside PATH. Default: none. */
  readonly isWanted?: (name: string) => boolean;
  /** Keeps every variable, for entries of other clients that refer to some of them. Default: false. */
  readonly keepsAll?: boolean;
  readonly timeoutMs?: number;
}

/** Time limit for the shell. Version managers take a second or two on an idle machine; without an answer servers may get other programs. */
const TIMEOUT_MS = 10_000;

/**
 * Captures the PATH of the user's login shell. An app started from a dock or menu has the system's PATH instead, which lacks npx
 * and uvx; one started by npm finds other programs first. Takes at most `timeoutMs` (10 s) and the time to end the shell. Never
 * rejects.
 */
export async function captureLoginPath(deps: LoginShellDeps, signal?: AbortSignal): Promise<LoginCapture> {
  // On Windows, the PATH of an app does not depend on how it was started.
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
