/** A place that at most one owner has at a time. */
export class SoleOwner<T> {
  readonly #place: string;
  #current: T | undefined;

  /** @param place what the error calls it */
  constructor(place: string) {
    this.#place = place;
  }

  get current(): T | undefined {
    return this.#current;
  }

  /** Returns the undo. @throws Error when somebody else has it */
  take(owner: T): () => void {
    if (this.#current !== undefined) throw new Error(`There is an owner of ${this.#place} already.`);
    this.#current = owner;
    let isUndone = false;
    return () => {
      if (!isUndone) this.#current = undefined;
      isUndone = true;
    };
  }
}
