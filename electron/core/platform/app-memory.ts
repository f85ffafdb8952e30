import { createProcFiles, type ProcFiles } from './proc/proc-files.ts';
import { parseMemory } from './proc/parse-stat.ts';

/**
 * Memory of the given processes of one program, in bytes, counted as for servers: the private memory of each process, and
 * memory that they share only once. Undefined without a /proc that reports it. Processes that have ended count as 0.
 */
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
