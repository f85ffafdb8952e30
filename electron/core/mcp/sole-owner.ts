/** Slot that has at most one owner at a time. */
export class SoleOwner<T> {
  readonly #place: string;
  #current: T | undefined;

  /** @param place name of the slot in the error */
  constructor(place: string) {
    this.#place = place;
  }

  get current(): T | undefined {
    return this.#current;
  }

  /** Sets the owner. Returns a function that removes it. @throws Error if there is another owner */
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
