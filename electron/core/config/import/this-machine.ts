import { stat } from 'node:fs/promises';
import type { Clock } from '../../clock.ts';
import { programFinder } from '../../platform/find-program.ts';
import type { LoginPath } from '../../platform/login-path.ts';
import { userEnvironment, widerPath } from '../../platform/user-environment.ts';
import { settlesWithin } from '../../wait.ts';
import { resolveFrom } from '../resolve-path.ts';
import type { ImportMachine } from './machine-check.ts';

/**
 * Maximum time in ms to wait for the environment of the login shell, while the user sees a busy dialog. If it has not arrived
 * by then, the check continues without it.
 */
const PATIENCE_MS = 2000;

interface ThisMachineOptions {
  readonly parentEnvironment: Readonly<Record<string, string | undefined>>;
  readonly loginPath: LoginPath | undefined;
  readonly clock: Clock;
  /** The user's home folder, absolute. */
  readonly userHome: string;
  /** Data folder of the panel, the base of relative paths in servers.json. */
  readonly home: string;
}

/**
 * Returns what this machine provides for imported servers. Programs are searched for in the same folders as when the panel
 * starts a server. The environment has every variable of the login shell, because clients started in a terminal have them too.
 * Waits briefly until the shell's variables have been read for the first time. Without them, programs are not checked, because
 * they may be in folders that only the shell knows. Never rejects.
 */
export async function thisMachine({
  parentEnvironment: parent,
  loginPath,
  clock,
  userHome,
  home,
}: ThisMachineOptions): Promise<ImportMachine> {
  if (loginPath !== undefined) await settlesWithin(clock, loginPath.ensure(), PATIENCE_MS);
  const login = loginPath?.current;
  const isKnown = loginPath === undefined || login !== undefined;
  return {
    environment: {
      ...Object.fromEntries(login?.variables ?? []),
      ...userEnvironment(parent, login),
      // The panel searches the same additional folders when it starts a server whose program is not in the shell's PATH.
      ...(login?.source === 'shell' && { PATH: widerPath(parent, login) }),
    },
    home: userHome,
    resolve: (path) => resolveFrom(home, path),
    isFolder: (path) =>
      stat(path).then(
        (found) => found.isDirectory(),
        () => false,
      ),
    findProgram: isKnown ? programFinder(process.platform) : undefined,
  };
}
