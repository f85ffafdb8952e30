import type { ProcessReading } from './process-table.ts';
import { createProcFiles, type ProcFiles } from './proc/proc-files.ts';
import { parseMemory } from './proc/parse-stat.ts';

/** Private memory of all processes, plus shared memory once; the resident size where a process does not separate them. */
export function treeMemoryBytes(readings: readonly ProcessReading[]): number | undefined {
  const known = readings.filter((reading) => memoryOf(reading) !== undefined);
  if (known.length === 0) return undefined;
  const own = known.reduce((sum, { privateBytes, rssBytes }) => sum + (privateBytes ?? rssBytes ?? 0), 0);
  return own + (treeSharedBytes(known) ?? 0);
}

/** Shared memory of the largest sharer; undefined where no process reports it separately. */
export function treeSharedBytes(readings: readonly ProcessReading[]): number | undefined {
  const telling = readings.filter(({ privateBytes }) => privateBytes !== undefined);
  return telling.length === 0 ? undefined : Math.max(...telling.map(({ sharedBytes }) => sharedBytes ?? 0));
}

/** Private and shared memory of one process; undefined where the system does not report it. */
export function memoryOf({ privateBytes, sharedBytes, rssBytes }: ProcessReading): number | undefined {
  return privateBytes === undefined ? rssBytes : privateBytes + (sharedBytes ?? 0);
}

/** Private memory of each process, and shared memory once, in bytes. Ended ones count as 0; undefined without /proc. */
export function memoryOfProcesses(
  pids: readonly number[],
  files: ProcFiles = createProcFiles(),
): number | undefined {
  let privateBytes = 0;
  let sharedBytes = 0;
  let isKnown = false;
  for (const pid of pids) {
    const status = parseMemory(files.read(`${pid}/status`) ?? '');
    if (status.privateBytes === undefined) continue;
    isKnown = true;
    privateBytes += status.privateBytes;
    sharedBytes = Math.max(sharedBytes, status.sharedBytes ?? 0);
  }
  return isKnown ? privateBytes + sharedBytes : undefined;
}
