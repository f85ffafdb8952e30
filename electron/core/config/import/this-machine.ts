import { stat } from 'node:fs/promises';
import type { Clock } from '../../clock.ts';
import { programFinder } from '../../platform/find-program.ts';
import type { LoginPath } from '../../platform/login-path.ts';
import { personEnvironment, widerPath } from '../../platform/person-environment.ts';
import { settlesWithin } from '../../wait.ts';
import { resolveFrom } from '../resolve-path.ts';
import type { Machine } from './machine-check.ts';

/** A person looks at a dialog that says it is looking; a shell that takes longer fills in nothing. */
const PATIENCE_MS = 2000;

export interface ThisMachineOptions {
  readonly parent: Readonly<Record<string, string | undefined>>;
  readonly loginPath: LoginPath | undefined;
  readonly clock: Clock;
  /** The person's home folder, absolute. */
  readonly personHome: string;
  /** The folder of servers.json, where relative paths in it begin. */
  readonly folder: string;
}

/**
 * What this machine has for servers from elsewhere: programs as a start finds them, and every variable of the login shell,
 * because other clients that run in a terminal see those. Waits a moment for the first capture of the shell; without it
 * nothing is said of programs, because they may be where only the shell looks. Never rejects.
 */
export async function thisMachine({
  parent,
  loginPath,
  clock,
  personHome,
  folder,
}: ThisMachineOptions): Promise<Machine> {
  if (loginPath !== undefined) await settlesWithin(clock, loginPath.ensure(), PATIENCE_MS);
  const login = loginPath?.current;
  const isKnown = loginPath === undefined || login !== undefined;
  return {
    environment: {
      ...Object.fromEntries(login?.all ?? []),
      ...personEnvironment(parent, login),
      // A start looks there, too, for what the shell's own PATH does not lead to.
      ...(login?.source === 'shell' && { PATH: widerPath(parent, login) }),
    },
    home: personHome,
    resolve: (path) => resolveFrom(folder, path),
    isFolder: (path) =>
      stat(path).then(
        (found) => found.isDirectory(),
        () => false,
      ),
    findProgram: isKnown ? programFinder(process.platform) : undefined,
  };
}
