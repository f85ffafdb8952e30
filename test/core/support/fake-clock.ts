import type { Clock, Disposable } from '../../../electron/core/clock.ts';

interface Timer {
  readonly dueMs: number;
  readonly task: () => void;
}

/** A clock that stands still until a test moves it. Timers run in the order of their time, then of their creation. */
export class FakeClock implements Clock {
  #nowMs = 0;
  readonly #timers = new Set<Timer>();

  /** Timers that are neither run nor disposed; 0 proves that nothing leaked. */
  get pending(): number {
    return this.#timers.size;
  }

  now(): number {
    return this.#nowMs;
  }

  setTimeout(task: () => void, delayMs: number): Disposable {
    const timer = { dueMs: this.#nowMs + delayMs, task };
    this.#timers.add(timer);
    return { dispose: () => void this.#timers.delete(timer) };
  }

  /** Runs everything that falls due, also what the tasks themselves set up. */
  advance(ms: number): void {
    const untilMs = this.#nowMs + ms;
    for (let next = this.#next(untilMs); next !== undefined; next = this.#next(untilMs)) {
      this.#timers.delete(next);
      this.#nowMs = Math.max(this.#nowMs, next.dueMs);
      next.task();
    }
    this.#nowMs = untilMs;
  }

  #next(untilMs: number): Timer | undefined {
    const due = [...this.#timers].filter(({ dueMs }) => dueMs <= untilMs);
    return due.reduce<Timer | undefined>(
      (first, timer) => (first && first.dueMs <= timer.dueMs ? first : timer),
      undefined,
    );
  }
}
