import type { ProcessReading } from './process-table.ts';
import { createProcFiles, type ProcFiles } from './proc/proc-files.ts';
import { parseMemory } from './proc/parse-stat.ts';

type Memory = Pick<ProcessReading, 'privateBytes' | 'rssBytes' | 'sharedBytes'>;

/**
 * Private memory of all processes, plus shared memory once. For a process that does not report them separately, the resident
 * size counts.
 */
export function treeMemoryBytes(readings: readonly Memory[]): number | undefined {
  const known = readings.filter((reading) => memoryOf(reading) !== undefined);
  if (known.length === 0) return undefined;
  const own = known.reduce((sum, { privateBytes, rssBytes }) => sum + (privateBytes ?? rssBytes ?? 0), 0);
  return own + (treeSharedBytes(known) ?? 0);
}

/** Shared memory of the largest sharer; undefined if no process reports it separately. */
export function treeSharedBytes(readings: readonly Memory[]): number | undefined {
  const telling = readings.filter(({ privateBytes }) => privateBytes !== undefined);
  return telling.length === 0 ? undefined : Math.max(...telling.map(({ sharedBytes }) => sharedBytes ?? 0));
}

/** Private and shared memory of one process; undefined if the system does not report it. */
export function memoryOf({ privateBytes, sharedBytes, rssBytes }: Memory): number | undefined {
  return privateBytes === undefined ? rssBytes : privateBytes + (sharedBytes ?? 0);
}

/** Private memory of each process, and shared memory once, in bytes. Ended processes count as 0; undefined without /proc. */
export function memoryOfProcesses(
  pids: readonly number[],
  files: ProcFiles = createProcFiles(),
): number | undefined {
  const all = pids.map((pid) => parseMemory(files.read(`${pid}/status`) ?? ''));
  return treeMemoryBytes(all.filter(({ privateBytes }) => privateBytes !== undefined));
}
