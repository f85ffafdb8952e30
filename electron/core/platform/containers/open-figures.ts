import type { Clock } from '../../clock.ts';
import { createProcFiles, type ProcFiles } from '../proc/proc-files.ts';
import type { ContainerFigures, ContainerReading } from './container-reading.ts';
import type { ContainerState } from './engine-client.ts';
import type { EngineLink } from './engine-link.ts';
import { EngineStats } from './engine-stats.ts';
import { parseStat } from '../proc/parse-stat.ts';

export interface FoundContainer {
  readonly id: string;
  readonly state: ContainerState;
}

/**
 * Opens a source of the figures (memory, CPU time, processes) of a running container; resolves to undefined if there is none.
 * Never rejects. `link` finds the API of the container's engine.
 */
export type OpenFigures = (
  container: FoundContainer,
  link: () => Promise<EngineLink | undefined>,
) => Promise<ContainerFigures | undefined>;

/**
 * Returns the function that opens a container's figures. It reads the kernel's own files if the container runs on this
 * machine's kernel, because that is far cheaper than the engine's API.
 */
export function figuresOpener(clock: Clock, platform: NodeJS.Platform = process.platform): OpenFigures {
  const byApi = apiFigures(clock);
  return async (container, link) => {
    const { id, state } = container;
    const files = { proc: createProcFiles(), cgroup: createProcFiles('/sys/fs/cgroup'), clock };
    const read = platform === 'linux' && state.pid > 0 ? containerCgroup(files, state.pid, id) : undefined;
    return read === undefined ? byApi(container, link) : { read, dispose: () => undefined };
  };
}

/** Reads the figures only from the API of the engine. */
export function apiFigures(clock: Clock): OpenFigures {
  return async ({ id }, link) => {
    const found = await link();
    return found && new EngineStats(found, id, clock);
  };
}

/** Files of Linux: `proc` reads below /proc, `cgroup` below /sys/fs/cgroup. */
interface CgroupFiles {
  readonly proc: Pick<ProcFiles, 'read'>;
  readonly cgroup: Pick<ProcFiles, 'read'>;
  readonly clock: Clock;
}

const NS_PER_MS = 1e6;
const US_PER_MS = 1000;
/** Maximum number of processes whose state is read in one sample. */
const MAX_STATES = 32;

/**
 * Returns a reader of the container's control group (cgroup). Returns undefined if this system does not show the group: the
 * container runs on another machine, or the panel itself runs in a container.
 * @param pid the container's first process, as reported by the engine
 * @param id full id of the container; a group whose path does not contain it belongs to another container
 */
export function containerCgroup(
  files: CgroupFiles,
  pid: number,
  id: string,
): (() => ContainerReading | undefined) | undefined {
  const paths = pathsOf(files.proc.read(`${pid}/cgroup`) ?? '');
  const isUnified = files.cgroup.read('cgroup.controllers') !== undefined;
  const look = isUnified
    ? unifiedReader(files, paths.get('') ?? '', id)
    : classicReader(files, (controller) => groupOf(paths.get(controller) ?? '', id));
  const read = () => {
    const found = look();
    return (
      found && readingOf(found, (member) => parseStat(files.proc.read(`${member}/stat`) ?? '')?.isAtWork)
    );
  };
  return read() && read;
}

/** Reads cgroup v2, where all controllers (memory, CPU …) share one group. */
function unifiedReader({ cgroup, clock }: CgroupFiles, path: string, id: string) {
  const group = groupOf(path, id);
  const fileOf = (name: string) => (group === undefined ? undefined : cgroup.read(`${group}/${name}`));
  return (): Read => {
    const memory = numberIn(fileOf('memory.current'));
    const usedUs = valueIn(fileOf('cpu.stat'), 'usage_usec');
    // Some runtimes put the processes into a subgroup, so they are read from the full path.
    const members = cgroup.read(`${path.slice(1)}/cgroup.procs`);
    return {
      atMs: clock.now(),
      memory,
      reclaimed: valueIn(fileOf('memory.stat'), 'inactive_file'),
      cpuTimeMs: usedUs === undefined ? undefined : usedUs / US_PER_MS,
      members,
      isPaused: valueIn(fileOf('cgroup.events'), 'frozen') === 1,
      killed: valueIn(fileOf('memory.events'), 'oom_kill'),
    };
  };
}

/** Reads cgroup v1, where each controller (memory, CPU …) has a group of its own. */
function classicReader(
  { cgroup, clock }: CgroupFiles,
  groupOfController: (controller: string) => string | undefined,
) {
  const fileOf = (controller: string, name: string) => {
    const group = groupOfController(controller);
    return group === undefined ? undefined : cgroup.read(`${controller}/${group}/${name}`);
  };
  return (): Read => {
    const usedNs = numberIn(fileOf('cpuacct', 'cpuacct.usage'));
    return {
      atMs: clock.now(),
      memory: numberIn(fileOf('memory', 'memory.usage_in_bytes')),
      reclaimed: valueIn(fileOf('memory', 'memory.stat'), 'total_inactive_file'),
      cpuTimeMs: usedNs === undefined ? undefined : usedNs / NS_PER_MS,
      members: fileOf('cpuacct', 'cgroup.procs'),
      isPaused: fileOf('freezer', 'freezer.state')?.trim() === 'FROZEN',
      killed: valueIn(fileOf('memory', 'memory.oom_control'), 'oom_kill'),
    };
  };
}

interface Read {
  readonly atMs: number;
  readonly memory: number | undefined;
  readonly reclaimed: number | undefined;
  readonly cpuTimeMs: number | undefined;
  readonly members: string | undefined;
  readonly isPaused: boolean;
  readonly killed: number | undefined;
}

/** Returns the reading; undefined once the group is gone, which is when the container's last process has ended. */
function readingOf(
  { atMs, memory, reclaimed, cpuTimeMs, members, isPaused, killed }: Read,
  isAtWork: (pid: string) => boolean | undefined,
): ContainerReading | undefined {
  if (memory === undefined || cpuTimeMs === undefined) return undefined;
  const pids = members?.split('\n').filter((line) => line !== '') ?? [];
  return {
    atMs,
    memoryBytes: Math.max(0, memory - (reclaimed ?? 0)),
    cpuTimeMs,
    processCount: pids.length,
    isPaused,
    // Linux shows a paused process in the same state as one that waits for a disk, so a paused container is excluded.
    isAtWork: !isPaused && pids.slice(0, MAX_STATES).some(isAtWork),
    isOutOfMemory: (killed ?? 0) > 0,
  };
}

/** Returns the paths by controller from lines like `4:cpu,cpuacct:/path`; for cgroup v2 (`0::/path`), the key is empty. */
function pathsOf(text: string): ReadonlyMap<string, string> {
  const paths = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [, controllers, ...path] = line.split(':');
    for (const controller of controllers?.split(',') ?? []) paths.set(controller, path.join(':'));
  }
  return paths;
}

/** Returns the path up to and including the folder that is named after the container, without the leading slash. */
function groupOf(path: string, id: string): string | undefined {
  const folders = path.split('/');
  const at = folders.findIndex((folder) => folder.includes(id));
  return at < 0 ? undefined : folders.slice(1, at + 1).join('/');
}

function numberIn(text: string | undefined): number | undefined {
  const value = Number(text?.trim() || Number.NaN);
  return Number.isFinite(value) ? value : undefined;
}

/** Value of a line `name value`. */
function valueIn(text: string | undefined, name: string): number | undefined {
  const line = text?.split('\n').find((one) => one.startsWith(`${name} `));
  return numberIn(line?.slice(name.length));
}
