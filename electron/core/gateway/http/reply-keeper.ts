import type { Clock, Disposable } from '../../clock.ts';

/** An open response that has something to do when time passes. */
export interface Kept {
  /** In monotonic time; `onDue` moves it on. */
  readonly dueAtMs: number;
  onDue(nowMs: number): void;
}

/**
 * The time of all open responses behind one timer, because most of them are answered long before theirs is up: a call costs no
 * timer of its own.
 */
export class ReplyKeeper {
  readonly #clock: Clock;
  readonly #open = new Set<Kept>();
  #timer: Disposable | undefined;
  #timerDueMs = Infinity;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Monotonic milliseconds. */
  nowMs(): number {
    return this.#clock.now();
  }

  /** Responses that are watched, so that a test can assert that nothing leaked. */
  get size(): number {
    return this.#open.size;
  }

  watch(reply: Kept): void {
    this.#open.add(reply);
    if (reply.dueAtMs < this.#timerDueMs) this.#arm(reply.dueAtMs);
  }

  /** @returns whether it was watched until now */
  forget(reply: Kept): boolean {
    return this.#open.delete(reply);
  }

  dispose(): void {
    this.#open.clear();
    this.#disarm();
  }

  #onTimer(): void {
    this.#disarm();
    const nowMs = this.#clock.now();
    let nextMs = Infinity;
    for (const reply of [...this.#open]) {
      if (reply.dueAtMs <= nowMs) reply.onDue(nowMs);
      if (this.#open.has(reply)) nextMs = Math.min(nextMs, reply.dueAtMs);
    }
    if (nextMs < this.#timerDueMs) this.#arm(nextMs);
  }

  #arm(dueMs: number): void {
    this.#disarm();
    this.#timerDueMs = dueMs;
    this.#timer = this.#clock.setTimeout(() => this.#onTimer(), dueMs - this.#clock.now());
  }

  #disarm(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    this.#timerDueMs = Infinity;
  }
}
