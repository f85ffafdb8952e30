import type { StdioServerConfig } from '../../../../shared/server-config.ts';
import { childEnvironment, RUN_MARKER_NAME } from '../../platform/child-environment.ts';
import { variableOf } from '../../platform/environment-names.ts';
import { programFinder } from '../../platform/find-program.ts';
import type { LoginCapture } from '../../platform/login-capture.ts';
import { userEnvironment, widerPath } from '../../platform/user-environment.ts';
import { namesPlace, programSearch, type FindProgram } from '../../platform/program-search.ts';
import type { SpawnRequest } from '../../platform/spawner.ts';

/** What every server gets from this machine. */
export interface SpawnEnvironment {
  /** The environment of this process. */
  readonly parent: Readonly<Record<string, string | undefined>>;
  /** Absolute; the person's home folder, where servers start whose entry names no folder. */
  readonly home: string;
  /** What the person's login shell told; undefined until it has, and where it is not asked. */
  readonly login?: LoginCapture | undefined;
  /** Asks anew where programs are; present where the answer comes in a moment. Never rejects. */
  readonly askAgain?: (() => Promise<LoginCapture>) | undefined;
  /** How programs are found. Default: on the disk. */
  readonly findProgram?: FindProgram;
  /** Default: ours. */
  readonly platform?: NodeJS.Platform;
}

/**
 * What is spawned for an entry: in the person's folder, with the person's programs, but for what the entry itself says. Looks
 * for the program on the way, so that nobody after it has to.
 */
export async function spawnRequestOf(
  config: StdioServerConfig,
  surroundings: SpawnEnvironment,
  marker: string,
): Promise<SpawnRequest> {
  const request = await lookedUp(requestIn(config, surroundings, marker), surroundings);
  if (!isMissing(request) || isPathFixed(config, surroundings)) return request;
  return (await foundElsewhere(config, surroundings, request)) ?? request;
}

/** What is spawned, before anybody has looked for it. */
function requestIn(
  { command, args, cwd, env: entry }: StdioServerConfig,
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
  return { command, args, ...folder, env };
}

/** A command that PATH does not lead to may be where we have not looked yet; undefined where it is not. */
async function foundElsewhere(
  config: StdioServerConfig,
  surroundings: SpawnEnvironment,
  request: SpawnRequest,
): Promise<SpawnRequest | undefined> {
  const { parent, login, askAgain } = surroundings;
  if (login?.source === 'shell') {
    // The login shell's PATH does not lead to the command; ours may.
    const wider = { ...request, env: { ...request.env, PATH: widerPath(parent, login) } };
    return ifFound(await lookedUp(wider, surroundings));
  }
  if (askAgain === undefined) return undefined;
  // It may have been installed since the panel was started, with a folder that our PATH does not have.
  const current = { ...surroundings, login: await askAgain() };
  const marker = request.env[RUN_MARKER_NAME] ?? '';
  return ifFound(await lookedUp(requestIn(config, current, marker), current));
}

const isMissing = ({ found }: SpawnRequest): boolean => found !== undefined && 'code' in found;
const ifFound = (request: SpawnRequest): SpawnRequest | undefined =>
  isMissing(request) ? undefined : request;

/** No other PATH would lead elsewhere. */
function isPathFixed({ command, env }: StdioServerConfig, { platform }: SpawnEnvironment): boolean {
  const on = platform ?? process.platform;
  return namesPlace(command, on) || variableOf(env, 'PATH', on) !== undefined;
}

/** The same request for a run with this marker. */
export function withMarker(request: SpawnRequest, marker: string): SpawnRequest {
  return { ...request, env: { ...request.env, [RUN_MARKER_NAME]: marker } };
}

async function lookedUp(request: SpawnRequest, surroundings: SpawnEnvironment): Promise<SpawnRequest> {
  const { platform = process.platform, findProgram = programFinder(platform) } = surroundings;
  const { command, cwd, env } = request;
  return { ...request, found: await findProgram({ ...programSearch(command, env, platform), cwd }) };
}
