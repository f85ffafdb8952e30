import { OpenSet } from '../../open-map.ts';
import type { Clock, Disposable } from '../../clock.ts';
import type { ClientCall } from './call.ts';

const LOOK_MS = 1000;

/** Calls in flight, with one timer for all; no timer while there are none. */
export class CallWatch implements Disposable {
  readonly #clock: Clock;
  readonly #calls = new OpenSet<ClientCall>();
  #timer: Disposable | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(call: ClientCall): void {
    this.#calls.add(call);
    this.#timer ??= this.#later();
  }

  remove(call: ClientCall): void {
    this.#calls.delete(call);
  }

  dispose(): void {
    this.#calls.clear();
    this.#timer?.dispose();
  }

  /** Re-arms the timer unless no call is left: with many short calls a timer for each would cost more than the calls. */
  #later(): Disposable {
    return this.#clock.setTimeout(() => {
      this.#timer = this.#calls.size > 0 ? this.#later() : undefined;
      const nowMs = this.#clock.now();
      for (const call of [...this.#calls.values()]) call.tick(nowMs);
    }, LOOK_MS);
  }
}
