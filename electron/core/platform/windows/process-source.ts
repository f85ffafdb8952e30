import type { ProcessIdentity, ProcessReading } from '../process-table.ts';

/** Source of the rows of the Windows process table. */
export interface WindowsProcessSource {
  list(): Promise<readonly ProcessReading[]>;
  /** Returns the process that has this pid now. Absent where that would require a listing. */
  identify?(pid: number): ProcessIdentity | undefined;
  /** Returns program and arguments of a process. Absent where they are expensive to read. */
  commandLine?(pid: number): string | undefined;
  /** Minimum milliseconds between periodic samples, see `ProcessTable`. */
  readonly leastIntervalMs?: number;
  dispose(): void;
}
