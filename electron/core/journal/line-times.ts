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

  constructor(wallClock: WallClock) {
    this.#wallClock = wallClock;
    this.beganUs = this.#nowUs;
    this.#newestUs = this.beganUs - 1;
  }

  /** The place that was given last. */
  get newestUs(): number {
    return this.#newestUs;
  }

  next(): number {
    const nowUs = this.#nowUs;
    const isEarlier = nowUs <= this.#newestUs && this.#newestUs - nowUs < SMALL_STEP_BACK_US;
    return (this.#newestUs = isEarlier ? this.#newestUs + 1 : nowUs);
  }

  get #nowUs(): number {
    return Math.floor(this.#wallClock.epochMs()) * US_PER_MS;
  }
}

/** Epoch milliseconds of a place on the time axis. */
export const msOf = (atUs: number): number => Math.floor(atUs / US_PER_MS);
