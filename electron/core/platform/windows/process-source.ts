import type { ProcessIdentity, ProcessReading } from '../process-table.ts';

/** Source of the rows of the Windows process table. */
export interface WindowsProcessSource {
  list(): Promise<readonly ProcessReading[]>;
  /** Returns the process that has this pid now. Absent where that would take a listing. */
  identify?(pid: number): ProcessIdentity | undefined;
  /** Returns program and arguments. Absent where they are expensive. */
  commandLine?(pid: number): string | undefined;
  /** See `ProcessTable`. */
  readonly leastIntervalMs?: number;
  dispose(): void;
}
