import type { StdioServerConfig } from '../../../../shared/server-config.ts';
import { childEnvironment, RUN_MARKER_NAME } from '../../platform/child-environment.ts';
import {
  findProgram as findOnDisk,
  type FindProgram,
  type FoundProgram,
} from '../../platform/find-program.ts';
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
  /** How programs are found. Default: on the disk. */
  readonly findProgram?: FindProgram;
}

/**
 * What is spawned for an entry: in the person's folder, with the person's programs, but for what the entry itself says. Looks
 * for the program on the way, so that nobody after it has to.
 */
export async function spawnRequestOf(
  { command, args, cwd, env: entry }: StdioServerConfig,
  surroundings: Surroundings,
  marker: string,
): Promise<SpawnRequest> {
  const { parent, home, login } = surroundings;
  const folder = { cwd: cwd ?? home, isHome: cwd === undefined };
  const env = childEnvironment({
    inherited: personEnvironment(parent, login),
    cwd: folder.cwd,
    entry,
    marker,
  });
  const request = { command, args, ...folder, env };
  const found = await look(request, surroundings);
  if (found === undefined || 'file' in found || !isRescued(command, entry, login))
    return { ...request, found };
  // The login shell's PATH does not lead to the command; ours may.
  const wider = { ...request, env: { ...env, PATH: widerPath(parent, login) } };
  const foundThere = await look(wider, surroundings);
  return foundThere && 'file' in foundThere ? { ...wider, found: foundThere } : { ...request, found };
}

/** The same request for a run with this marker. */
export function withMarker(request: SpawnRequest, marker: string): SpawnRequest {
  return { ...request, env: { ...request.env, [RUN_MARKER_NAME]: marker } };
}

/** Undefined on Windows, which has more places and suffixes than we know. */
async function look(
  { command, cwd, env }: SpawnRequest,
  { findProgram = findOnDisk }: Surroundings,
): Promise<FoundProgram | undefined> {
  if (process.platform === 'win32') return undefined;
  return findProgram({ command, cwd, path: env['PATH'] });
}

function isRescued(
  command: string,
  entry: StdioServerConfig['env'],
  login: LoginCapture | undefined,
): login is LoginCapture {
  return login?.source === 'shell' && !command.includes('/') && entry['PATH'] === undefined;
}
