import type { Clock } from './clock.ts';

/** What is handed on in one turn of the event loop at most. */
export const LONGEST_PART_BYTES = 16 * 1024;
const SHORTEST_PART_BYTES = 1024;
/** A part that took longer makes the next one half as long, one that took less than the other, twice as long. */
const [LONG_MS, SHORT_MS] = [0.5, 0.2];
/** Of the time, what the handling of one stream may take once its credit is used up. */
const SHARE = 0.25;
/** Handling that a quiet stream may make up for: some results of many megabytes come at full speed. */
const MOST_CREDIT_MS = 100;
/** A stream that has to rest does so for long enough to be worth a timer. */
const LEAST_REST_MS = 4;
/** One part may seem to have taken a minute, when the machine slept. */
const LONGEST_REST_MS = 100;

/**
 * Keeps one stream from taking the event loop from all others, however much it brings and whatever that costs: its parts are
 * so long that each takes about half a millisecond, and a stream that never ends gets a quarter of the time.
 */
export class ReadPace {
  readonly #clock: Pick<Clock, 'now'>;
  #partBytes = LONGEST_PART_BYTES;
  #creditMs = MOST_CREDIT_MS;
  #creditedAtMs: number;

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
    this.#creditedAtMs = clock.now();
  }

  /** How long the next part may be. */
  get partBytes(): number {
    return this.#partBytes;
  }

  /** Handles a part. What `act` throws passes. */
  handle(act: () => void): void {
    const beganMs = this.#clock.now();
    try {
      act();
    } finally {
      this.#took(this.#clock.now() - beganMs);
    }
  }

  /** How long nothing more is to be read; 0 for a stream that goes on. */
  restMs(): number {
    const nowMs = this.#clock.now();
    const creditMs = this.#creditMs + (nowMs - this.#creditedAtMs) * SHARE;
    this.#creditMs = Math.max(-LONGEST_REST_MS * SHARE, Math.min(MOST_CREDIT_MS, creditMs));
    this.#creditedAtMs = nowMs;
    return this.#creditMs >= 0 ? 0 : Math.max(LEAST_REST_MS, -this.#creditMs / SHARE);
  }

  #took(tookMs: number): void {
    this.#creditMs -= tookMs;
    if (tookMs > LONG_MS) this.#partBytes = Math.max(SHORTEST_PART_BYTES, this.#partBytes / 2);
    else if (tookMs < SHORT_MS) this.#partBytes = Math.min(LONGEST_PART_BYTES, this.#partBytes * 2);
  }
}
