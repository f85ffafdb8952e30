/** Runs tasks one at a time, first come, first served. A failed task does not block the next. */
export class SerialQueue {
  /** Settles when the last queued task is done; never rejects. It does not keep the result, which may be large. */
  #tail: Promise<void> = Promise.resolve();

  /** Queues `task`. Not re-entrant: a task that awaits `run` of the same queue waits forever. @throws the error of `task` */
  run<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#tail.then(task);
    const done = () => undefined;
    this.#tail = result.then(done, done);
    return result;
  }
}
