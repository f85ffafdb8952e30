import { engineOf } from '../../../shared/container-run.ts';
import { PanelError } from '../../../shared/error-codes.ts';
import { findProgram } from './find-program.ts';
import { limitMark, readLimitMark } from './limit-mark.ts';
import type { FoundProgram } from './program-search.ts';
import type { RunCommand } from './run-command.ts';
import { spawnError } from './spawn-error.ts';
import { checkFolder, type Spawner, type SpawnRequest } from './spawner.ts';

/** Where util-linux puts prlimit(1). Full paths, because the PATH of a server is not ours to search. */
const PRLIMIT_PATHS = ['/usr/bin/prlimit', '/bin/prlimit'];

/**
 * Has each child marked by its run's marker before its first instruction (see `limitMark`): prlimit(1) sets the limit
 * and becomes the program, so that there is no process between, and no moment at which a child could get away.
 * @param prlimit its path; undefined where there is none, and then nothing is marked
 */
export function markingSpawner(spawn: Spawner, prlimit: () => Promise<string | undefined>): Spawner {
  return async (request) => {
    const program = isMarked(request) ? await prlimit() : undefined;
    if (program === undefined) return spawn(request);
    await requireProgram(request);
    try {
      return await spawn({ ...request, command: program, args: markingArguments(request) });
    } catch (error) {
      if (!isAboutProgram(error)) throw error;
      return spawn(request); // prlimit itself is gone by now.
    }
  };
}

/**
 * A prlimit that works here: a container may forbid the call, and an administrator may have set a lower limit.
 * Undefined where there is none. Never rejects; bounded as `run` is.
 */
export async function findPrlimit(
  run: RunCommand,
  platform: NodeJS.Platform = process.platform,
): Promise<string | undefined> {
  if (platform !== 'linux') return undefined;
  const mark = limitMark('');
  for (const path of PRLIMIT_PATHS) {
    const args = [`--rttime=${mark}:`, '--', '/bin/cat', '/proc/self/limits'];
    const limits = await run(path, args).catch(() => '');
    if (readLimitMark(limits) === mark) return path;
  }
  return undefined;
}

/** What a client of a container engine leaves behind (the monitor of a container, the server in it) is the engine's to end. */
const isMarked = ({ marker, command }: SpawnRequest): boolean =>
  marker !== undefined && engineOf(command) === undefined;

function markingArguments({ command, args, marker = '' }: SpawnRequest): readonly string[] {
  return [`--rttime=${limitMark(marker)}:`, '--', command, ...args];
}

/** Throws what a spawn of the program itself would throw, because prlimit can only end with an exit code of its own. */
async function requireProgram(request: SpawnRequest): Promise<void> {
  const { signal } = request;
  await checkFolder(request);
  const found = request.found ?? (await find(request));
  signal?.throwIfAborted();
  if ('code' in found) throw spawnError(Object.assign(new Error(found.code), { code: found.code }), request);
}

function find({ command, cwd, env }: SpawnRequest): Promise<FoundProgram> {
  return findProgram({ command, cwd, path: env['PATH'] });
}

function isAboutProgram(error: unknown): boolean {
  return (
    error instanceof PanelError && (error.code === 'COMMAND_NOT_FOUND' || error.code === 'PERMISSION_DENIED')
  );
}
