/** What the threads of the history and of the logs are to the core: the part in use of a `Worker` of `node:worker_threads`. A test hands in one that it holds up or ends. */
export interface WorkerLike {
  postMessage(message: unknown, transfer?: readonly ArrayBuffer[]): void;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  /** It has failed, and ends. */
  on(event: 'error', listener: (error: unknown) => void): unknown;
  on(event: 'exit', listener: () => void): unknown;
  terminate(): Promise<unknown>;
}
