/**
 * The used part of a `Worker` of `node:worker_threads`, for the threads of the history and the logs. A test substitutes one that
 * it can delay or end.
 */
export interface WorkerLike {
  postMessage(message: unknown, transfer?: readonly ArrayBuffer[]): void;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  /** The worker has failed, and ends. */
  on(event: 'error', listener: (error: unknown) => void): unknown;
  on(event: 'exit', listener: () => void): unknown;
  terminate(): Promise<unknown>;
}
