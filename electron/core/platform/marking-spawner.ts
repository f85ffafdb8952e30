import { engineOf } from '../../../shared/container-run.ts';
import { PanelError } from '../../../shared/error-codes.ts';
import { findProgram } from './find-program.ts';
import type { FoundProgram } from './program-search.ts';
import { limitMark, readLimitMark } from './limit-mark.ts';
import type { RunCommand } from './run-command.ts';
import { spawnError } from './spawn-error.ts';
import type { Caps } from './process-job.ts';
import { checkFolder, type Spawner, type SpawnRequest } from './spawner.ts';
import { messageOf } from '../../../shared/message-of.ts';
import { BYTES_PER_MIB } from '../../../shared/units.ts';

/** Paths of prlimit(1) from util-linux. They are absolute, because the PATH of a server must not be searched for prlimit. */
const PRLIMIT_PATHS = ['/usr/bin/prlimit', '/bin/prlimit'];

/**
 * Returns a spawner that marks each child with `limitMark`, a resource limit derived from its run's marker. The mark is set
 * before the child's first instruction: prlimit(1) sets the limit, and then executes the program in the same process, so that
 * no process escapes unmarked. @param prlimit returns the path of prlimit; undefined if there is none, and then no child is
 * marked
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
      return spawn(request); // The failure was about prlimit itself, which was removed after it had been found. The child then starts unmarked.
    }
  };
}

/**
 * Returns the path of a working prlimit; undefined if there is none. It may not work because a container forbids the system
 * call, or because an administrator has set a lower limit. Never rejects.
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

/** Client programs of container engines are not marked, because the engine itself ends what they leave behind. */
const isMarked = ({ marker, command }: SpawnRequest): boolean =>
  marker !== undefined && engineOf(command) === undefined;

function markingArguments({ command, args, marker = '' }: SpawnRequest): readonly string[] {
  return [`--rttime=${limitMark(marker)}:`, '--', command, ...args];
}

/**
 * Throws the error that spawning the program itself would throw. Needed because the spawned prlimit would start successfully,
 * and then only exit with its own code.
 */
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

/** Resource limits that a scope of the user's systemd can enforce; `path` is the path of systemd-run. */
export interface Scopes {
  readonly path: string;
  readonly canCap: Readonly<Record<keyof Caps, boolean>>;
}

/** Absolute paths, because the PATH of a server must not be searched for systemd-run. */
const SYSTEMD_RUN_PATHS = ['/usr/bin/systemd-run', '/bin/systemd-run'];
const PROBED: Caps = { memoryMiB: 64, cpuCores: 1 };
/**
 * Shell script that prints the limits that the kernel really enforces on it, because the user's systemd may not be allowed to
 * limit all resources.
 */
const TELL_CAPS =
  'g=/sys/fs/cgroup$(sed -n s/^0:://p /proc/self/cgroup); cat "$g/memory.max"; cat "$g/cpu.max"; true';

/**
 * Returns a spawner that limits the memory and the CPU of each child whose request has caps: systemd-run creates a scope (a
 * control group) that contains all descendants of the child, and then executes the program in the same process. Containers are
 * skipped, because their engine limits them. @param scopes returns which resources can be limited on this machine; called only
 * when a child has caps
 */
export function cappingSpawner(spawn: Spawner, scopes: () => Promise<Scopes | undefined>): Spawner {
  return async (request) => {
    const { args, caps, command } = request;
    const found = caps && engineOf(command) === undefined ? await scopes() : undefined;
    const properties = found && propertiesOf(caps!, found.canCap);
    if (found === undefined || properties?.length === 0) return spawn(request);
    return spawn({ ...request, command: found.path, args: scopeOf(properties ?? [], [command, ...args]) });
  };
}

/**
 * Finds out which resources (memory, CPU) can be capped on this machine. Never rejects. @param onProblem receives the reason
 * why something cannot be capped, as text for users
 */
export async function findScopes(
  run: RunCommand,
  onProblem: (why: string) => void,
  paths: readonly string[] = process.platform === 'linux' ? SYSTEMD_RUN_PATHS : [],
): Promise<Scopes | undefined> {
  const all = { memoryMiB: true, cpuCores: true };
  let why = 'this system has no systemd-run';
  for (const path of paths) {
    try {
      const told = await run(path, scopeOf(propertiesOf(PROBED, all), ['/bin/sh', '-c', TELL_CAPS]));
      const [memory, cpu = ''] = told.split('\n');
      const canCap = {
        memoryMiB: memory === String(PROBED.memoryMiB * BYTES_PER_MIB),
        cpuCores: /^\d/.test(cpu),
      };
      const missing = [...(canCap.memoryMiB ? [] : ['memory']), ...(canCap.cpuCores ? [] : ['CPU'])];
      if (missing.length > 0) onProblem(`your systemd may not cap ${missing.join(' and ')}`);
      return { path, canCap };
    } catch (error) {
      why = messageOf(error);
    }
  }
  onProblem(why);
  return undefined;
}

const scopeOf = (properties: readonly string[], words: readonly string[]): readonly string[] => [
  ...['--user', '--scope', '--quiet', '--collect'],
  ...properties.map((property) => `--property=${property}`),
  '--',
  ...words,
];

/**
 * Returns the systemd properties that set the caps. Swap is set to 0, because it would only slow down a server that needs more
 * than its memory cap.
 */
const propertiesOf = ({ memoryMiB, cpuCores }: Caps, canCap: Scopes['canCap']): readonly string[] => [
  ...(memoryMiB > 0 && canCap.memoryMiB
    ? [`MemoryMax=${Math.round(memoryMiB * BYTES_PER_MIB)}`, 'MemorySwapMax=0']
    : []),
  ...(cpuCores > 0 && canCap.cpuCores ? [`CPUQuota=${Math.max(1, Math.round(cpuCores * 100))}%`] : []),
];
