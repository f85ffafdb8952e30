import type { Clock, Disposable } from '../../clock.ts';

const LOOK_MS = 1000;

/** Something that is looked at from time to time while it lasts. */
export interface Watched {
  tick(nowMs: number): void;
}

/** One timer for all calls under way; none while there are none. */
export class CallWatch implements Disposable {
  readonly #clock: Clock;
  readonly #watched = new Set<Watched>();
  #timer: Disposable | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(watched: Watched): void {
    this.#watched.add(watched);
    this.#timer ??= this.#later();
  }

  remove(watched: Watched): void {
    this.#watched.delete(watched);
  }

  dispose(): void {
    this.#watched.clear();
    this.#timer?.dispose();
  }

  /** A timer that finds nothing is the last: with many short calls a timer for each would cost more than the calls. */
  #later(): Disposable {
    return this.#clock.setTimeout(() => {
      this.#timer = this.#watched.size > 0 ? this.#later() : undefined;
      const nowMs = this.#clock.now();
      for (const watched of [...this.#watched]) watched.tick(nowMs);
    }, LOOK_MS);
  }
}
