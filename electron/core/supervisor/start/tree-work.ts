import type { TreeFacts } from '../../telemetry/tree-facts.ts';

/** CPU time between two looks that is work; a process that only waits uses some, too, for its timers. */
const WORKING_CPU_MS = 50;
/** Wake-ups within a process are written as well, 8 bytes each. */
const WORKING_BYTES = 4096;

/** Whether a tree has used the machine since the look before. The first look finds new processes only. */
export function isWorking({ newProcesses, usedCpuMs = 0, writtenBytes = 0 }: TreeFacts): boolean {
  return newProcesses > 0 || usedCpuMs >= WORKING_CPU_MS || writtenBytes >= WORKING_BYTES;
}
