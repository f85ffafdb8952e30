/** Listeners of one kind of event, called in the order of subscription. */
export class Emitter<T> {
  /** A new list at each change, so that listeners may be added and removed while the old list is being called. */
  #listeners: readonly { readonly call: (value: T) => void }[] = [];

  /** Returns the unsubscribe function. */
  subscribe(listener: (value: T) => void): () => void {
    // Each call creates its own entry, so that the same function subscribed twice has two subscriptions.
    const entry = { call: listener };
    this.#listeners = [...this.#listeners, entry];
    return () => void (this.#listeners = this.#listeners.filter((one) => one !== entry));
  }

  emit(value: T): void {
    for (const { call } of this.#listeners) call(value);
  }

  /** Number of listeners, so that a test can check that none leaked. */
  get size(): number {
    return this.#listeners.length;
  }
}
