import type { TreeFacts } from '../../telemetry/tree-facts.ts';

/** CPU time between two looks that is work; a process that only waits uses some, too, for its timers. */
const WORKING_CPU_MS = 50;
/**
 * Bytes between two looks that are work. A process that waits for an event writes a few: each wake-up of an event loop is
 * 8 bytes into a descriptor of its own. An install writes hundreds of kibibytes a second, and on a slow line it writes
 * what it gets.
 */
const WORKING_BYTES = 4096;

/** Whether a look at the tree of a start shows that it gets on. */
export function isProgress({
  newProcesses,
  usedCpuMs = 0,
  writtenBytes = 0,
}: Pick<TreeFacts, 'newProcesses' | 'usedCpuMs' | 'writtenBytes'>): boolean {
  return newProcesses > 0 || usedCpuMs >= WORKING_CPU_MS || writtenBytes >= WORKING_BYTES;
}
