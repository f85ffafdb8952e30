import { nextTurn } from '../next-turn.ts';

/** One expensive scan at a time. Who asks during a scan gets the next one, as its data may be from before. */
export class SharedLook<T> {
  readonly #take: () => Promise<T>;
  /** The scan that will begin next; undefined if none is requested. */
  #coming: Promise<T> | undefined;
  /** Settles when the running scan is over; never rejects. */
  #running: Promise<unknown> = Promise.resolve();

  constructor(take: () => Promise<T>) {
    this.#take = take;
  }

  /** Returns the result of the next scan. @throws the scan's error, to every caller that shares the scan */
  ask(): Promise<T> {
    return (this.#coming ??= this.#begin());
  }

  async #begin(): Promise<T> {
    await this.#running;
    // One event-loop tick collects callers that ask at the same moment, such as all servers that quit at once.
    await nextTurn();
    this.#coming = undefined;
    const look = this.#take();
    this.#running = look.then(nothing, nothing);
    return look;
  }
}

const nothing = () => undefined;
