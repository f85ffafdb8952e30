/** What one spawn has started, held together by the system: a job object of Windows. Nothing in it is lost when its parent ends. */
export interface ProcessJob {
  /** Pids of all processes in it that live. */
  pids(): readonly number[];
  /** Ends all of them at once. False where the system refused. */
  terminate(): boolean;
  /** Lets go of it. What still lives in it is ended by the system, as it is when we die. Idempotent. */
  close(): void;
}
