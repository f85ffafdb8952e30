import { engineOf } from '../../../shared/container-run.ts';
import { messageOf } from '../../../shared/message-of.ts';
import { BYTES_PER_MIB } from '../../../shared/units.ts';
import type { Caps } from './process-job.ts';
import type { RunCommand } from './run-command.ts';
import type { Spawner } from './spawner.ts';

/** What a scope of the user's systemd can cap; `path` is that of systemd-run. */
export interface Scopes {
  readonly path: string;
  readonly canCap: Readonly<Record<keyof Caps, boolean>>;
}

/** Absolute, because the PATH of a server must not be searched for it. */
const SYSTEMD_RUN_PATHS = ['/usr/bin/systemd-run', '/bin/systemd-run'];
const PROBED: Caps = { memoryMiB: 64, cpuCores: 1 };
/** Writes the caps that the kernel holds the shell to; a user's systemd may have been given some controllers only. */
const TELL_CAPS =
  'g=/sys/fs/cgroup$(sed -n s/^0:://p /proc/self/cgroup); cat "$g/memory.max"; cat "$g/cpu.max"; true';

/**
 * Caps the memory and the CPU of each child that is to be capped: systemd-run makes a scope, which all its descendants are in,
 * and executes the program in the same process. A container is capped by its engine instead. @param scopes what can be capped
 * here; asked for when a child is to be capped
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

/** Finds out what can be capped on this machine. Never rejects. @param onProblem receives why something cannot, in words */
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

/** Swap would only make a server slow that needs more than its cap. */
const propertiesOf = ({ memoryMiB, cpuCores }: Caps, canCap: Scopes['canCap']): readonly string[] => [
  ...(memoryMiB > 0 && canCap.memoryMiB
    ? [`MemoryMax=${Math.round(memoryMiB * BYTES_PER_MIB)}`, 'MemorySwapMax=0']
    : []),
  ...(cpuCores > 0 && canCap.cpuCores ? [`CPUQuota=${Math.max(1, Math.round(cpuCores * 100))}%`] : []),
];
