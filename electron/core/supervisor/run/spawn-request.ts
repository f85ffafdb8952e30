import type { StdioServerConfig } from '../../../../shared/server-config.ts';
import { childEnvironment } from '../../platform/child-environment.ts';
import { findProgram } from '../../platform/find-program.ts';
import type { LoginCapture } from '../../platform/login-capture.ts';
import { personEnvironment, widerPath } from '../../platform/person-environment.ts';
import type { SpawnRequest } from '../../platform/spawner.ts';

/** What every server gets from this machine. */
export interface Surroundings {
  /** The environment of this process. */
  readonly parent: Readonly<Record<string, string | undefined>>;
  /** Absolute; the person's home folder, where servers start whose entry names no folder. */
  readonly home: string;
  /** What the person's login shell told; undefined until it has, and where it is not asked. */
  readonly login?: LoginCapture | undefined;
}

/** What is spawned for an entry: in the person's folder, with the person's programs, but for what the entry itself says. */
export async function spawnRequestOf(
  { command, args, cwd, env: entry }: StdioServerConfig,
  { parent, home, login }: Surroundings,
  marker: string,
): Promise<SpawnRequest> {
  const folder = { cwd: cwd ?? home, isHome: cwd === undefined };
  const inherited = personEnvironment(parent, login);
  const env = childEnvironment({ inherited, cwd: folder.cwd, entry, marker });
  const path = login && (await rescuePath({ command, cwd: folder.cwd, env, entry }, parent, login));
  return { command, args, ...folder, env: path === undefined ? env : { ...env, PATH: path } };
}

interface Wanted {
  readonly command: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly entry: Readonly<Record<string, string>>;
}

/** A PATH on which the command is found, where the login shell's does not lead to it and ours does. */
async function rescuePath(
  { command, cwd, env, entry }: Wanted,
  parent: Surroundings['parent'],
  login: LoginCapture,
): Promise<string | undefined> {
  if (login.source !== 'shell' || command.includes('/') || entry['PATH'] !== undefined) return undefined;
  const leads = async (path: string | undefined) => 'file' in (await findProgram({ command, path, cwd }));
  if (await leads(env['PATH'])) return undefined;
  const wider = widerPath(parent, login);
  return (await leads(wider)) ? wider : undefined;
}
