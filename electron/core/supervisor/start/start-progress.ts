import type { TreeFacts } from '../../telemetry/tree-facts.ts';

/** CPU time in ms between two samples that counts as work; a waiting process uses some for its timers. */
const WORKING_CPU_MS = 50;
/**
 * Bytes written between two samples that count as work. A waiting process writes a few: each wake-up of an event loop is 8
 * bytes to its own descriptor. An install writes hundreds of kibibytes a second, and over a slow network as much as it
 * receives.
 */
const WORKING_BYTES = 4096;

/** Whether a sample of a starting tree shows progress. */
export function isProgress({
  newProcesses,
  usedCpuMs = 0,
  writtenBytes = 0,
}: Pick<TreeFacts, 'newProcesses' | 'usedCpuMs' | 'writtenBytes'>): boolean {
  return newProcesses > 0 || usedCpuMs >= WORKING_CPU_MS || writtenBytes >= WORKING_BYTES;
}
