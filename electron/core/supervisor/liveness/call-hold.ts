import type { Clock } from '../../clock.ts';
import { createDeferred } from '../../deferred.ts';
import { settlesWithin } from '../../wait.ts';
import { ALONE_MS } from './gather-facts.ts';

/**
 * Longest wait of a call in ms. It exceeds `ALONE_MS`, so that even with an early timer the call is sent too late to excuse
 * the probe until the call's own deadline.
 */
const HOLD_MS = ALONE_MS + 20;

/**
 * Delays calls until the probe that was sent before them is answered or its time is over. Such a probe was sent while nothing
 * else was unfinished.
 */
export class CallHold {
  readonly #clock: Clock;
  readonly #released = createDeferred<void>();
  #current: Promise<void> | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Settles when a call may be sent; undefined if it may be sent now. */
  get current(): Promise<void> | undefined {
    return this.#current;
  }

  /** Delays calls until the probe is answered, or until the longest wait is over. */
  until(answered: Promise<unknown>): void {
    const either = Promise.race([answered, this.#released.promise]);
    const current = settlesWithin(this.#clock, either, HOLD_MS).then(() => {
      if (this.#current === current) this.#current = undefined;
    });
    this.#current = current;
  }

  dispose(): void {
    this.#released.resolve();
  }
}
