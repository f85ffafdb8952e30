/** How often something may happen: `burst` times at once, and `perSecond` in the long run. */
export interface Rate {
  readonly burst: number;
  readonly perSecond: number;
}

/** A token bucket. It has no timer: what has come back is worked out when it is asked. */
export class TokenBucket {
  readonly #rate: Rate;
  #left: number;
  #atMs: number;

  constructor(rate: Rate, nowMs: number) {
    this.#rate = rate;
    this.#left = rate.burst;
    this.#atMs = nowMs;
  }

  /**
   * 0 where it may happen now, which counts; else in how many milliseconds it may. A clock that goes back gives nothing and
   * takes nothing, because its client would otherwise be refused until the clock has caught up.
   */
  take(nowMs: number): number {
    const { burst, perSecond } = this.#rate;
    const passedMs = Math.max(0, nowMs - this.#atMs);
    this.#left = Math.min(burst, this.#left + (passedMs / 1000) * perSecond);
    this.#atMs = nowMs;
    if (this.#left < 1) return Math.ceil(((1 - this.#left) / perSecond) * 1000);
    this.#left -= 1;
    return 0;
  }
}
