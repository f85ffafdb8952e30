interface Waiting {
  readonly places: number;
  readonly enter: () => void;
}

/** Places that tasks of different size share; whoever came first enters first. */
export class Room {
  #free: number;
  readonly #line: Waiting[] = [];

  constructor(places: number) {
    this.#free = places;
  }

  /** Runs the task once so many places are free. */
  async with<T>(places: number, task: () => Promise<T>): Promise<T> {
    await new Promise<void>((enter) => {
      this.#line.push({ places, enter });
      this.#admit();
    });
    try {
      return await task();
    } finally {
      this.#free += places;
      this.#admit();
    }
  }

  #admit(): void {
    for (let [first] = this.#line; first && first.places <= this.#free; [first] = this.#line) {
      this.#line.shift();
      this.#free -= first.places;
      first.enter();
    }
  }
}
