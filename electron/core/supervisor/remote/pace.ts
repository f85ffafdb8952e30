import type { Clock } from '../../clock.ts';

export interface PaceOptions {
  readonly clock: Clock;
  readonly intervalMs: number;
  /** Number of events allowed at once after a quiet time. */
  readonly burst: number;
}

/** Spaces events at a steady rate, however many come at once. */
export class Pace {
  readonly #options: PaceOptions;
  #nextAtMs = -Infinity;

  constructor(options: PaceOptions) {
    this.#options = options;
  }

  /** Milliseconds that the next event would have to wait. */
  get waitMs(): number {
    return Math.max(0, this.#nextAtMs - this.#options.clock.now());
  }

  /** Reserves the next slot. Returns the milliseconds until it. */
  take(): number {
    const { clock, intervalMs, burst } = this.#options;
    const now = clock.now();
    const atMs = Math.max(this.#nextAtMs, now - (burst - 1) * intervalMs);
    this.#nextAtMs = atMs + intervalMs;
    return Math.max(0, atMs - now);
  }
}
