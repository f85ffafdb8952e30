/** Listeners of one kind of happening, called in the order they came. */
export class Emitter<T> {
  readonly #listeners = new Set<(value: T) => void>();

  /** Returns the undo. */
  subscribe(listener: (value: T) => void): () => void {
    // Wrapped, so that the same function subscribed twice is two subscriptions.
    const entry = (value: T) => listener(value);
    this.#listeners.add(entry);
    return () => void this.#listeners.delete(entry);
  }

  emit(value: T): void {
    for (const listener of [...this.#listeners]) listener(value);
  }

  /** Listeners left, so that a test can assert that nothing leaked. */
  get size(): number {
    return this.#listeners.size;
  }
}
