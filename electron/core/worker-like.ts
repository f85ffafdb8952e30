/** The part of a `Worker` of `node:worker_threads` that the history and log threads need. Tests use one they can delay or end. */
export interface WorkerLike {
  postMessage(message: unknown, transfer?: readonly ArrayBuffer[]): void;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  /** Called when the worker has failed and ends. */
  on(event: 'error', listener: (error: unknown) => void): unknown;
  on(event: 'exit', listener: () => void): unknown;
  terminate(): Promise<unknown>;
}
