import type { WallClock } from '../clock.ts';

const US_PER_MS = 1000;
/** Largest step back of the clock, in µs, that is ignored to keep the order of lines; a larger one is accepted. */
const SMALL_STEP_BACK_US = 60_000_000;

/**
 * Gives each log line its position on the time axis: microseconds since 1970, unique within an app run. The last three
 * digits are a counter, because the clock has no microseconds.
 */
export class LineTimes {
  readonly #wallClock: WallClock;
  /** Earliest position of this app run, unless the clock was set back since. */
  readonly beganUs: number;
  #newestUs: number;
  #era = 0;

  constructor(wallClock: WallClock) {
    this.#wallClock = wallClock;
    this.beganUs = this.#nowUs;
    this.#newestUs = this.beganUs - 1;
  }

  /** Position that was given last. */
  get newestUs(): number {
    return this.#newestUs;
  }

  /** Number of accepted steps back of the clock. Positions show the order only within one era. */
  get era(): number {
    return this.#era;
  }

  /** Next position, in the era that `era` then returns. */
  next(): number {
    const nowUs = this.#nowUs;
    if (nowUs > this.#newestUs) return (this.#newestUs = nowUs);
    if (this.#newestUs - nowUs < SMALL_STEP_BACK_US) return (this.#newestUs += 1);
    this.#era += 1;
    return (this.#newestUs = nowUs);
  }

  get #nowUs(): number {
    return Math.floor(this.#wallClock.epochMs()) * US_PER_MS;
  }
}

/** Epoch milliseconds of a position on the time axis. */
export const msOf = (atUs: number): number => Math.floor(atUs / US_PER_MS);
