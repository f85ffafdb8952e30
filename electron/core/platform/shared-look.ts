import { nextTurn } from '../next-turn.ts';

/**
 * Runs an expensive scan, one at a time. Callers that ask before a scan begins share it; callers that ask during one get the
 * next, because the running scan may hold data older than the question.
 */
export class SharedLook<T> {
  readonly #take: () => Promise<T>;
  /** The next scan, which has not begun; undefined without one. */
  #coming: Promise<T> | undefined;
  /** Settles when the running scan is over; never rejects. */
  #running: Promise<unknown> = Promise.resolve();

  constructor(take: () => Promise<T>) {
    this.#take = take;
  }

  /** @throws the scan's error, to every caller that shares it */
  ask(): Promise<T> {
    return (this.#coming ??= this.#begin());
  }

  async #begin(): Promise<T> {
    await this.#running;
    // One event-loop tick collects the callers that ask for the same reason, such as all servers that quit at once.
    await nextTurn();
    this.#coming = undefined;
    const look = this.#take();
    this.#running = look.then(nothing, nothing);
    return look;
  }
}

const nothing = () => undefined;
