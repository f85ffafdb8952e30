import { OpenSet } from './open-map.ts';
import type { Clock, Disposable } from './clock.ts';

/** Something with an action at a certain time. */
export interface Timed {
  /** Monotonic milliseconds of the next action; `onDue` sets the time of the one after it, or has it forgotten. */
  readonly dueAtMs: number;
  onDue(nowMs: number): void;
}

/**
 * One timer of a clock for much that is over long before it is due, such as the responses to calls: a timer for each would
 * cost more than the rest of the wait. It goes off in time for all of them, and now and then for none.
 */
export class SharedTimer implements Disposable {
  readonly #clock: Clock;
  readonly #waiting: OpenSet<Timed>;
  #dueMs = Infinity;
  #timer: Disposable | undefined;

  /** @param waiting filled with what it watches */
  constructor(clock: Clock, waiting: OpenSet<Timed>) {
    this.#clock = clock;
    this.#waiting = waiting;
  }

  now(): number {
    return this.#clock.now();
  }

  watch(timed: Timed): void {
    this.#waiting.add(timed);
    if (timed.dueAtMs < this.#dueMs) this.#arm(timed.dueAtMs);
  }

  /** Returns whether it was watched until now. */
  forget(timed: Timed): boolean {
    return this.#waiting.delete(timed);
  }

  /** Ends the timer; nothing is watched any more. */
  dispose(): void {
    this.#waiting.clear();
    this.#disarm();
  }

  #goneOff(): void {
    this.#disarm();
    const nowMs = this.#clock.now();
    let nextMs = Infinity;
    for (const timed of [...this.#waiting.values()]) {
      if (timed.dueAtMs <= nowMs && this.#waiting.has(timed)) timed.onDue(nowMs);
      if (this.#waiting.has(timed)) nextMs = Math.min(nextMs, timed.dueAtMs);
    }
    if (nextMs < this.#dueMs) this.#arm(nextMs);
  }

  #arm(dueMs: number): void {
    this.#disarm();
    this.#dueMs = dueMs;
    this.#timer = this.#clock.setTimeout(() => this.#goneOff(), dueMs - this.#clock.now());
  }

  #disarm(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    this.#dueMs = Infinity;
  }
}
