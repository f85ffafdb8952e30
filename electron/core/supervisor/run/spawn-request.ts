import type { StdioServerConfig } from '../../../../shared/server-config.ts';
import { childEnvironment, RUN_MARKER_NAME, variableOf } from '../../platform/child-environment.ts';
import { programFinder } from '../../platform/find-program.ts';
import { namesPlace, programSearch, type FindProgram } from '../../platform/program-search.ts';
import type { LoginCapture } from '../../platform/login-path.ts';
import { userEnvironment, widerPath } from '../../platform/user-environment.ts';
import type { SpawnRequest } from '../../platform/spawner.ts';

/** Settings of this machine that apply to every server. */
export interface SpawnEnvironment {
  readonly parent: Readonly<Record<string, string | undefined>>;
  /** Absolute path of the user's home folder, where servers start whose entry names no folder. */
  readonly home: string;
  /** Environment of the user's login shell; undefined before it was captured, or if it is not used. */
  readonly login?: LoginCapture | undefined;
  /** Captures the environment again; defined if that is fast. Never rejects. */
  readonly askAgain?: (() => Promise<LoginCapture>) | undefined;
  /** Finds the file of a program. Default: searches the disk. */
  readonly findProgram?: FindProgram;
  readonly platform?: NodeJS.Platform;
}

/** The process to spawn for an entry, with its program found: in the user's folder and environment by default. */
export async function spawnRequestOf(
  config: StdioServerConfig,
  surroundings: SpawnEnvironment,
  marker: string,
): Promise<SpawnRequest> {
  // Another machine runs it, without the client of this one.
  if (config.panel.runOn) return { ...requestIn(config, surroundings, marker), runOn: config.panel.runOn };
  const request = await lookedUp(requestIn(config, surroundings, marker), surroundings);
  if (!isMissing(request) || isPathFixed(config, surroundings)) return request;
  return (await foundElsewhere(config, surroundings, request)) ?? request;
}

function requestIn(
  { command, args, cwd, env: entry, panel: { caps } }: StdioServerConfig,
  { parent, home, login, platform }: SpawnEnvironment,
  marker: string,
): SpawnRequest {
  const folder = { cwd: cwd ?? home, isHome: cwd === undefined };
  const env = childEnvironment({
    inherited: userEnvironment(parent, login, platform),
    cwd: folder.cwd,
    entry,
    marker,
    ...(platform && { platform }),
  });
  const isCapped = caps.memoryMiB > 0 || caps.cpuCores > 0;
  return { command, args, ...folder, env, ...(isCapped && { caps }) };
}

/** Searches other places for a command that PATH does not have; undefined if it is in none of them. */
async function foundElsewhere(
  config: StdioServerConfig,
  surroundings: SpawnEnvironment,
  request: SpawnRequest,
): Promise<SpawnRequest | undefined> {
  const { parent, login, askAgain } = surroundings;
  if (login?.source === 'shell') {
    // The login shell's PATH does not have the command; the panel's may.
    const wider = { ...request, env: { ...request.env, PATH: widerPath(parent, login) } };
    return ifFound(await lookedUp(wider, surroundings));
  }
  if (askAgain === undefined) return undefined;
  // The command may have been installed since the panel's start, in a folder that its PATH lacks.
  const current = { ...surroundings, login: await askAgain() };
  const marker = request.env[RUN_MARKER_NAME] ?? '';
  return ifFound(await lookedUp(requestIn(config, current, marker), current));
}

const isMissing = ({ found }: SpawnRequest): boolean => found !== undefined && 'code' in found;
const ifFound = (request: SpawnRequest): SpawnRequest | undefined =>
  isMissing(request) ? undefined : request;

/** Whether another PATH would not change which program is found. */
function isPathFixed({ command, env }: StdioServerConfig, { platform }: SpawnEnvironment): boolean {
  const on = platform ?? process.platform;
  return namesPlace(command, on) || variableOf(env, 'PATH', on) !== undefined;
}

export function withMarker(request: SpawnRequest, marker: string): SpawnRequest {
  return { ...request, env: { ...request.env, [RUN_MARKER_NAME]: marker } };
}

async function lookedUp(request: SpawnRequest, surroundings: SpawnEnvironment): Promise<SpawnRequest> {
  const { platform = process.platform, findProgram = programFinder(platform) } = surroundings;
  const { command, cwd, env } = request;
  return { ...request, found: await findProgram({ ...programSearch(command, env, platform), cwd }) };
}
