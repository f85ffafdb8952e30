import { nextTurn } from '../next-turn.ts';

/**
 * Looks at something that is dear to look at, one at a time. Whoever asks before a look has begun shares it; whoever asks
 * while one is under way gets the next one, because what that look has seen may be older than the question.
 */
export class SharedLook<T> {
  readonly #take: () => Promise<T>;
  /** The look that has not begun. */
  #coming: Promise<T> | undefined;
  /** Settles, never rejects, when the look under way is over. */
  #running: Promise<unknown> = Promise.resolve();

  constructor(take: () => Promise<T>) {
    this.#take = take;
  }

  /** @throws what the look throws, to everybody who shares it */
  ask(): Promise<T> {
    return (this.#coming ??= this.#begin());
  }

  async #begin(): Promise<T> {
    await this.#running;
    // A turn of the loop lets everybody come who asks for the same reason, such as all servers that quit at once.
    await nextTurn();
    this.#coming = undefined;
    const look = this.#take();
    this.#running = look.then(nothing, nothing);
    return look;
  }
}

const nothing = () => undefined;
