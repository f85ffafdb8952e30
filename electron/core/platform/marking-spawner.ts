import { engineOf } from '../../../shared/container-run.ts';
import { PanelError } from '../../../shared/error-codes.ts';
import { findProgram } from './find-program.ts';
import { limitMark, readLimitMark } from './limit-mark.ts';
import type { FoundProgram } from './program-search.ts';
import type { RunCommand } from './run-command.ts';
import { spawnError } from './spawn-error.ts';
import { checkFolder, type Spawner, type SpawnRequest } from './spawner.ts';

/** Paths of prlimit(1) from util-linux. They are absolute, because the PATH of a server must not be searched for prlimit. */
const PRLIMIT_PATHS = ['/usr/bin/prlimit', '/bin/prlimit'];

/**
 * Marks each child by its run's marker before the child's first instruction (see `limitMark`): prlimit(1) sets the limit and
 * then executes the program in the same process, so that no child can escape unmarked. @param prlimit returns the path of
 * prlimit; undefined where there is none, and then nothing is marked
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
      return spawn(request); // prlimit itself has been removed meanwhile.
    }
  };
}

/**
 * Finds a working prlimit: a container may forbid the call, and an administrator may have set a lower limit. Undefined where
 * there is none. Never rejects; takes as long as `run` allows.
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

/**
 * Whether a child is marked. Clients of a container engine are not, because the engine ends the processes that they leave
 * behind (the container's monitor and server).
 */
const isMarked = ({ marker, command }: SpawnRequest): boolean =>
  marker !== undefined && engineOf(command) === undefined;

function markingArguments({ command, args, marker = '' }: SpawnRequest): readonly string[] {
  return [`--rttime=${limitMark(marker)}:`, '--', command, ...args];
}

/** Throws the error that a spawn of the program itself would throw, because prlimit only exits with its own code. */
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
