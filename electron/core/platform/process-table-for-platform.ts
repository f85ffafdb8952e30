import { LinuxProcessTable } from './linux-process-table.ts';
import type { ProcessTable } from './process-table.ts';

/** The reader that is best on this system. The caller disposes it. */
export function processTableForPlatform(): ProcessTable {
  return new LinuxProcessTable();
}
