import type { ProcessReading } from './process-table.ts';
import { createProcFiles, type ProcFiles } from './proc/proc-files.ts';
import { parseMemory } from './proc/parse-stat.ts';

type Memory = Pick<ProcessReading, 'privateBytes' | 'rssBytes' | 'sharedBytes'>;

/**
 * Returns the memory of a process tree: the private memory of each process, plus the shared memory, counted only once. For a
 * process that reports no private memory, the resident size counts.
 */
export function treeMemoryBytes(readings: readonly Memory[]): number | undefined {
  const known = readings.filter((reading) => memoryOf(reading) !== undefined);
  if (known.length === 0) return undefined;
  const own = known.reduce((sum, { privateBytes, rssBytes }) => sum + (privateBytes ?? rssBytes ?? 0), 0);
  return own + (treeSharedBytes(known) ?? 0);
}

/**
 * Returns the shared memory of the process that has the most; undefined if no process reports private and shared memory
 * separately.
 */
export function treeSharedBytes(readings: readonly Memory[]): number | undefined {
  const telling = readings.filter(({ privateBytes }) => privateBytes !== undefined);
  return telling.length === 0 ? undefined : Math.max(...telling.map(({ sharedBytes }) => sharedBytes ?? 0));
}

/**
 * Returns private plus shared memory of one process, or the resident size if the system does not report them separately;
 * undefined if it reports neither.
 */
export function memoryOf({ privateBytes, sharedBytes, rssBytes }: Memory): number | undefined {
  return privateBytes === undefined ? rssBytes : privateBytes + (sharedBytes ?? 0);
}

/**
 * Returns the memory of several processes in bytes: the private memory of each, plus the shared memory, counted only once.
 * Processes that have ended count as 0. Undefined on systems without /proc.
 */
export function memoryOfProcesses(
  pids: readonly number[],
  files: ProcFiles = createProcFiles(),
): number | undefined {
  const all = pids.map((pid) => parseMemory(files.read(`${pid}/status`) ?? ''));
  return treeMemoryBytes(all.filter(({ privateBytes }) => privateBytes !== undefined));
}
