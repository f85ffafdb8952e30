import { readdirSync, readFileSync } from 'node:fs';

const MS_PER_TICK = 10;

/** Text of a file of `/proc/PID`; empty if the process has ended, or is another account's. */
export function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

/** Pids of all processes. Linux only. */
export const allPids = (): number[] => readdirSync('/proc').map(Number).filter(Number.isInteger);

/**
 * Whether the process runs. A zombie, which only waits to be collected by its parent, does not. (Linux; elsewhere a zombie
 * still counts.)
 */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  return process.platform !== 'linux' || /^[^ZX]/.test(statOf(pid)[0] ?? '');
}

/** Pids of a process and all its descendants, the process first. Linux only. */
export function treeOf(pid: number): number[] {
  const children = new Map<number, number[]>();
  for (const each of allPids()) {
    const parent = Number(statOf(each)[1] ?? 0);
    children.set(parent, [...(children.get(parent) ?? []), each]);
  }
  const below = (root: number): number[] => [root, ...(children.get(root) ?? []).flatMap(below)];
  return below(pid);
}

/** CPU time so far of the process itself, and of its children that ended and were waited for. */
export function cpuOf(pid: number): { readonly ownMs: number; readonly endedMs: number } {
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = statOf(pid).slice(11, 15).map(Number);
  return { ownMs: (user + system) * MS_PER_TICK, endedMs: (endedUser + endedSystem) * MS_PER_TICK };
}

/** CPU time so far of the threads that a process has now, in milliseconds, finer than the ticks of `cpuOf`. */
export function cpuOfThreadsMs(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const ns = threads.map((thread) => Number(readProc(pid, `task/${thread}/schedstat`).split(' ')[0] ?? 0));
  return ns.reduce((sum, each) => sum + each, 0) / 1e6;
}

/** Memory in a file that lists it as `FIELD: N kB`; NaN if the process has ended. */
export function memoryBytes(pid: number, field: string, file = 'status'): number {
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(readProc(pid, file))?.[1]) * 1024;
}

/** Fields of `/proc/PID/stat` from the state on; empty if the process has ended. */
export function statOf(pid: number): string[] {
  const stat = readProc(pid, 'stat');
  // The name before the state is in parentheses and may itself contain parentheses.
  return stat === '' ? [] : stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}
