/** Slot for a value, such as a handler, that only one owner may set at a time. */
export class SoleOwner<T> {
  readonly #place: string;
  #current: T | undefined;

  /** @param place what the slot is for; used in the error message */
  constructor(place: string) {
    this.#place = place;
  }

  get current(): T | undefined {
    return this.#current;
  }

  /** Puts a value into the slot. Returns a function that removes it. @throws Error if the slot is taken */
  take(owner: T): () => void {
    if (this.#current !== undefined) throw new Error(`There is already an owner of ${this.#place}.`);
    this.#current = owner;
    let isUndone = false;
    return () => {
      if (!isUndone) this.#current = undefined;
      isUndone = true;
    };
  }
}
