/** Listeners of one kind of event, called in the order of subscription. */
export class Emitter<T> {
  /** A new list at each change, so that listeners may come and go while the old one is called. */
  #listeners: readonly { readonly call: (value: T) => void }[] = [];

  /** Returns the unsubscribe function. */
  subscribe(listener: (value: T) => void): () => void {
    // An entry of its own makes the same function subscribed twice two subscriptions.
    const entry = { call: listener };
    this.#listeners = [...this.#listeners, entry];
    return () => void (this.#listeners = this.#listeners.filter((one) => one !== entry));
  }

  emit(value: T): void {
    for (const { call } of this.#listeners) call(value);
  }

  /** Number of listeners, so that a test can assert that none leaked. */
  get size(): number {
    return this.#listeners.length;
  }
}
