import { createProcFiles, type ProcFiles } from './proc/proc-files.ts';
import { parseMemory } from './proc/parse-status.ts';

/**
 * Memory of some processes of one program, in bytes, as that of servers is counted: what each has for itself, and once what
 * they share. Undefined where there is no /proc that tells. Processes that have ended count nothing.
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
