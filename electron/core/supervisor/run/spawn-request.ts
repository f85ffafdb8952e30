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
  /** Absolute path of the user's home folder, in which a server starts if its entry names no folder. */
  readonly home: string;
  /** Environment of the user's login shell; undefined until it has been captured, or if it is not used. */
  readonly login?: LoginCapture | undefined;
  /** Captures the environment again; defined only if that is fast. Never rejects. */
  readonly askAgain?: (() => Promise<LoginCapture>) | undefined;
  /** Finds the file of a program. Default: searches the disk. */
  readonly findProgram?: FindProgram;
  readonly platform?: NodeJS.Platform;
}

/** Returns the process to spawn for an entry, with its program found; by default in the user's home folder and environment. */
export async function spawnRequestOf(
  config: StdioServerConfig,
  surroundings: SpawnEnvironment,
  marker: string,
): Promise<SpawnRequest> {
  // The server runs on another machine and is started without a program on this machine, so no program is looked up.
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

/** Searches further folders for a command that is not on PATH; undefined if it is in none of them. */
async function foundElsewhere(
  config: StdioServerConfig,
  surroundings: SpawnEnvironment,
  request: SpawnRequest,
): Promise<SpawnRequest | undefined> {
  const { parent, login, askAgain } = surroundings;
  if (login?.source === 'shell') {
    // The command is not on the login shell's PATH, but may be on the panel's.
    const wider = { ...request, env: { ...request.env, PATH: widerPath(parent, login) } };
    return ifFound(await lookedUp(wider, surroundings));
  }
  if (askAgain === undefined) return undefined;
  // The command may have been installed after the panel's start, in a folder that was not on PATH then.
  const current = { ...surroundings, login: await askAgain() };
  const marker = request.env[RUN_MARKER_NAME] ?? '';
  return ifFound(await lookedUp(requestIn(config, current, marker), current));
}

const isMissing = ({ found }: SpawnRequest): boolean => found !== undefined && 'code' in found;
const ifFound = (request: SpawnRequest): SpawnRequest | undefined =>
  isMissing(request) ? undefined : request;

/** True if another PATH would not change which program is found: the command names a path, or the entry sets PATH. */
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
