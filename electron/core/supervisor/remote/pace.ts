import type { Clock } from '../../clock.ts';

export interface PaceOptions {
  readonly clock: Clock;
  readonly intervalMs: number;
  /** So many may come at once after a quiet time. */
  readonly burst: number;
}

/** One after the other at a steady pace, however many come at once. */
export class Pace {
  readonly #options: PaceOptions;
  #nextAtMs = -Infinity;

  constructor(options: PaceOptions) {
    this.#options = options;
  }

  /** How long the next one would have to wait. */
  get waitMs(): number {
    return Math.max(0, this.#nextAtMs - this.#options.clock.now());
  }

  /** Takes the next place. Returns how long to wait for it, in milliseconds. */
  take(): number {
    const { clock, intervalMs, burst } = this.#options;
    const now = clock.now();
    const atMs = Math.max(this.#nextAtMs, now - (burst - 1) * intervalMs);
    this.#nextAtMs = atMs + intervalMs;
    return Math.max(0, atMs - now);
  }
}
