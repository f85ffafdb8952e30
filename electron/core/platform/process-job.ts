/** What the system lets a child and its descendants use; 0 for no cap. */
export interface Caps {
  readonly memoryMiB: number;
  readonly cpuCores: number;
}

/** All processes of one spawn, held together by the system (a Windows job object) even after their parent has ended. */
export interface ProcessJob {
  pids(): readonly number[];
  /** Ends all processes of the job at once. Returns false where the system refused. */
  terminate(): boolean;
  /** Closes the job's handle, as the panel's death does: the system then ends the rest. Idempotent. */
  close(): void;
}
