import type { Clock } from '../../clock.ts';
import { createDeferred } from '../../deferred.ts';
import { settlesWithin } from '../../wait.ts';
import { ALONE_MS } from './gather-facts.ts';

/**
 * Longest wait: so much longer than the time after which no call excuses a question that a timer which fires a moment early
 * does not make the call such an excuse, until its deadline.
 */
const HOLD_MS = ALONE_MS + 20;

/** What calls wait for: the answer to a question that was sent while nothing else was unfinished, or its moment. */
export class CallHold {
  readonly #clock: Clock;
  readonly #released = createDeferred<void>();
  #current: Promise<void> | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Settles when a call may leave; undefined when it may leave now. */
  get current(): Promise<void> | undefined {
    return this.#current;
  }

  /** Calls hold back until the question is answered, or has had its moment. */
  until(answered: Promise<unknown>): void {
    const either = Promise.race([answered, this.#released.promise]);
    const current = settlesWithin(this.#clock, either, HOLD_MS).then(() => {
      if (this.#current === current) this.#current = undefined;
    });
    this.#current = current;
  }

  /** Nothing is held any more. */
  dispose(): void {
    this.#released.resolve();
  }
}
