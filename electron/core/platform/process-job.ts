/** All processes of one spawn, held together by the system (a Windows job object) even after a parent has ended. */
export interface ProcessJob {
  /** Returns the pids of its live processes. */
  pids(): readonly number[];
  /** Ends all its processes at once. Returns false where the system refused. */
  terminate(): boolean;
  /** Closes the handle, which makes the system end the remaining processes, as the panel's death does. Idempotent. */
  close(): void;
}
