import type { Clock } from './clock.ts';

/** Maximum bytes per chunk, which is delivered in one event-loop tick. */
export const LONGEST_PART_BYTES = 16 * 1024;
const SHORTEST_PART_BYTES = 1024;
/** Handling times in milliseconds: a chunk above the first halves the next one's size, a chunk below the second doubles it. */
const [LONG_MS, SHORT_MS] = [0.5, 0.2];
/** Share of the event loop's time that one stream may use once its credit (handling time without a pause) is spent. */
const SHARE = 0.25;
/** Maximum credit in ms that a stream gains while it is quiet, so that a few results of many megabytes arrive at full speed. */
const MOST_CREDIT_MS = 100;
/** Minimum pause in ms of a stream that must pause, because a shorter one would not be worth a timer. */
const LEAST_REST_MS = 4;
/** Maximum pause in ms. Without it, pauses could last minutes, because a chunk seems very slow if the machine slept meanwhile. */
const LONGEST_REST_MS = 100;

/**
 * Keeps one stream from blocking the event loop, however much data arrives and however long its handling takes. Chunks are
 * sized to take about half a millisecond each, and a stream that never pauses gets a quarter of the event loop's time.
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

  /** Size of the next chunk, in bytes. */
  get partBytes(): number {
    return this.#partBytes;
  }

  /** Handles a chunk. Exceptions of `act` propagate. */
  handle(act: () => void): void {
    const beganMs = this.#clock.now();
    try {
      act();
    } finally {
      this.#took(this.#clock.now() - beganMs);
    }
  }

  /** Returns the pause before the next read, in milliseconds; 0 for none. */
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
