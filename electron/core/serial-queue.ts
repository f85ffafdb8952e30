/** Runs tasks one at a time, first come, first served. One that fails holds up nobody. */
export class SerialQueue {
  /** Settles, never rejects, when the last queued task is done. It keeps no result, which may be large. */
  #tail: Promise<void> = Promise.resolve();

  /** Not re-entrant: a task that awaits a `run` of its own queue waits for ever. @throws whatever `task` throws */
  run<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#tail.then(task);
    const done = () => undefined;
    this.#tail = result.then(done, done);
    return result;
  }
}
