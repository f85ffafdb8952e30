/** Limits that the system enforces on a child and its descendants together; 0 means no limit. */
export interface Caps {
  readonly memoryMiB: number;
  readonly cpuCores: number;
}

/** All processes of one spawn, which the system groups (in a Windows job object) even after their parent has ended. */
export interface ProcessJob {
  pids(): readonly number[];
  /** Ends all processes of the job together. Returns false if the system refused. */
  terminate(): boolean;
  /** Closes the job's handle, as the death of the panel would. The system then ends the remaining processes. Idempotent. */
  close(): void;
}
