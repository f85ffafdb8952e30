import type { WallClock } from '../clock.ts';

const US_PER_MS = 1000;
/** A clock that is set back by less keeps the order of lines; set back by more it is believed. */
const SMALL_STEP_BACK_US = 60_000_000;

/**
 * Gives each line of the logs its place on the time axis: microseconds since 1970, no two alike within a launch. The last
 * three digits only count, because no clock of ours tells microseconds.
 */
export class LineTimes {
  readonly #wallClock: WallClock;
  /** No line of this launch is earlier, unless the clock was set back since. */
  readonly beganUs: number;
  #newestUs: number;
  #era = 0;

  constructor(wallClock: WallClock) {
    this.#wallClock = wallClock;
    this.beganUs = this.#nowUs;
    this.#newestUs = this.beganUs - 1;
  }

  /** The place that was given last. */
  get newestUs(): number {
    return this.#newestUs;
  }

  /** How often the clock was set back and believed. Only within one era places tell what came first. */
  get era(): number {
    return this.#era;
  }

  /** Of `era` as it is then. */
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

/** Epoch milliseconds of a place on the time axis. */
export const msOf = (atUs: number): number => Math.floor(atUs / US_PER_MS);
