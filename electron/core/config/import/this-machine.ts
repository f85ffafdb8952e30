import { stat } from 'node:fs/promises';
import type { Clock } from '../../clock.ts';
import { programFinder } from '../../platform/find-program.ts';
import type { LoginPath } from '../../platform/login-path.ts';
import { userEnvironment, widerPath } from '../../platform/user-environment.ts';
import { settlesWithin } from '../../wait.ts';
import { resolveFrom } from '../resolve-path.ts';
import type { ImportMachine } from './machine-check.ts';

/**
 * Maximum milliseconds to wait for the login shell while the user sees a busy dialog; without its answer nothing is filled in.
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
 * Returns what this machine provides for imported servers: programs as the panel finds them when it starts a server, and every
 * variable of the login shell, because clients in a terminal see those. Waits briefly for the shell's first capture. Without it
 * programs are not checked, because they may be in folders that only the shell knows. Never rejects.
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
      // When the panel starts a server, it also searches these folders for programs missing in the shell's PATH.
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
