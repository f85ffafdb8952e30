import type { ProcessIdentity, ProcessReading } from '../process-table.ts';

/** Where the process table of Windows has its rows from. */
export interface WindowsProcessSource {
  list(): Promise<readonly ProcessReading[]>;
  /** The process that has this pid now. Absent where that would take a listing. */
  identify?(pid: number): ProcessIdentity | undefined;
  /** Program and arguments. Absent where they are dear. */
  commandLine?(pid: number): string | undefined;
  /** See `ProcessTable`. */
  readonly leastIntervalMs?: number;
  dispose(): void;
}
