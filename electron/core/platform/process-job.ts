/** Limits that the system enforces on a child and its descendants together; 0 means no limit. */
export interface Caps {
  readonly memoryMiB: number;
  readonly cpuCores: number;
}

/**
 * All processes of one spawn. The system keeps them in one group (a Windows job object), even after the parent of a process has
 * ended.
 */
export interface ProcessJob {
  pids(): readonly number[];
  /** Ends all processes of the job together. Returns false if the system refused. */
  terminate(): boolean;
  /**
   * Closes the handle of the job, as would also happen if the panel died. The system then ends the remaining processes.
   * Idempotent.
   */
  close(): void;
}
