import type { Clock, Disposable } from './clock.ts';

/**
 * One timer of a clock for many tasks, nearly all of which are disposed before they are due, such as the ends of calls: a timer
 * for each would cost more than the rest of the wait. It goes off at the right time for every task, and now and then for none.
 */
export class SharedTimer implements Clock, Disposable {
  readonly #clock: Clock;
  readonly #waiting = new Set<Task>();
  #dueMs = Infinity;
  #timer: Disposable | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  now(): number {
    return this.#clock.now();
  }

  setTimeout(run: () => void, delayMs: number): Disposable {
    const task = new Task(run, this.#clock.now() + delayMs, this.#waiting);
    this.#waiting.add(task);
    if (task.dueMs < this.#dueMs) this.#arm(task.dueMs, delayMs);
    return task;
  }

  /** Ends the timer; no task runs any more. */
  dispose(): void {
    this.#waiting.clear();
    this.#timer?.dispose();
    this.#dueMs = Infinity;
  }

  #arm(dueMs: number, delayMs: number): void {
    this.#timer?.dispose();
    this.#dueMs = dueMs;
    this.#timer = this.#clock.setTimeout(() => this.#goneOff(), delayMs);
  }

  #goneOff(): void {
    const nowMs = this.#clock.now();
    this.#dueMs = Infinity;
    for (const task of [...this.#waiting])
      if (task.dueMs <= nowMs && this.#waiting.delete(task)) task.run();
    let nextMs = Infinity;
    for (const { dueMs } of this.#waiting) nextMs = Math.min(nextMs, dueMs);
    if (nextMs < this.#dueMs) this.#arm(nextMs, nextMs - this.#clock.now());
  }
}

class Task implements Disposable {
  readonly run: () => void;
  readonly dueMs: number;
  readonly #waiting: Set<Task>;

  constructor(run: () => void, dueMs: number, waiting: Set<Task>) {
    this.run = run;
    this.dueMs = dueMs;
    this.#waiting = waiting;
  }

  dispose(): void {
    this.#waiting.delete(this);
  }
}
