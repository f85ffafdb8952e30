interface Lock {
  /** The holder and everyone in line. At 0 the lock is forgotten. */
  pins: number;
  /** Settles (never rejects) when the newest in line is done. */
  tail: Promise<void>;
}

/** Runs tasks one at a time per key, first come, first served; different keys run side by side. */
export class KeyedMutex<K> {
  readonly #locks = new Map<K, Lock>();

  /** Keys with a running or waiting task. 0 means idle, so a test can assert that nothing leaked. */
  get size(): number {
    return this.#locks.size;
  }

  /**
   * Runs `task` once every earlier task for `key` has settled, whether it succeeded or failed; at once, before
   * this call returns, when there is none. Not re-entrant: a task that awaits a `run` for its own key waits for ever.
   * @throws whatever `task` throws, or `signal.reason` when aborted before its turn; it keeps its place in line until then
   */
  async run<T>(key: K, task: () => T | Promise<T>, signal?: AbortSignal): Promise<T> {
    const lock = this.#pin(key);
    const isFree = lock.pins === 1;
    const earlier = lock.tail;
    let finish!: () => void;
    lock.tail = new Promise((resolve) => (finish = resolve));
    try {
      if (!isFree) await earlier;
      signal?.throwIfAborted();
      const result = task();
      // No await for a plain value: the key is free again when this call returns.
      return result instanceof Promise ? await result : result;
    } finally {
      this.#unpin(key, lock);
      finish();
    }
  }

  #pin(key: K): Lock {
    const lock = this.#locks.get(key) ?? { pins: 0, tail: Promise.resolve() };
    this.#locks.set(key, lock);
    lock.pins += 1;
    return lock;
  }

  #unpin(key: K, lock: Lock): void {
    lock.pins -= 1;
    if (lock.pins === 0) this.#locks.delete(key);
  }
}
