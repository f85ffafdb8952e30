/** Listeners of one kind of event, called in the order of subscription. */
export class Emitter<T> {
  readonly #listeners = new Set<(value: T) => void>();

  /** Returns the unsubscribe function. */
  subscribe(listener: (value: T) => void): () => void {
    // The wrapper makes the same function subscribed twice two subscriptions.
    const entry = (value: T) => listener(value);
    this.#listeners.add(entry);
    return () => void this.#listeners.delete(entry);
  }

  emit(value: T): void {
    // One listener needs no copy of the set, which is there for listeners that come and go meanwhile.
    if (this.#listeners.size === 1) for (const only of this.#listeners) return only(value);
    for (const listener of [...this.#listeners]) listener(value);
  }

  /** Number of listeners, so that a test can assert that none leaked. */
  get size(): number {
    return this.#listeners.size;
  }
}
