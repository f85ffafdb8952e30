import type { WallClock } from '../clock.ts';

const US_PER_MS = 1000;
/** Largest step back of the clock, in µs, that is ignored to keep the order of lines; a larger one is accepted. */
const SMALL_STEP_BACK_US = 60_000_000;

/**
 * Assigns each log line a time in microseconds since 1970 that is unique within an app run, so that lines of several logs can
 * be sorted. The clock has only milliseconds; the last three digits count the lines within one millisecond.
 */
export class LineTimes {
  readonly #wallClock: WallClock;
  /** Time at which this app run began. No line of the run has an earlier one, unless the clock was set back. */
  readonly beganUs: number;
  #newestUs: number;
  #era = 0;

  constructor(wallClock: WallClock) {
    this.#wallClock = wallClock;
    this.beganUs = this.#nowUs;
    this.#newestUs = this.beganUs - 1;
  }

  /** The most recently assigned time, in microseconds since 1970. */
  get newestUs(): number {
    return this.#newestUs;
  }

  /** Number of accepted large steps back of the clock. Times show the order only of lines for which this number is the same. */
  get era(): number {
    return this.#era;
  }

  /** Returns the time for the next line. Read `era` after this call, because the call may increase it. */
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

/** Converts a line's time from microseconds to epoch milliseconds. */
export const msOf = (atUs: number): number => Math.floor(atUs / US_PER_MS);
