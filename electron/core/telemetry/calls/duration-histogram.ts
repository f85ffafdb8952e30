/** Relative error of quantiles; their absolute error is at least `LEAST_MS`. */
const RELATIVE_ERROR = 0.025;
/** Ratio of the widths of neighbouring buckets, chosen so that a bucket's middle is within `RELATIVE_ERROR` of both edges. */
const GROWTH = (1 + RELATIVE_ERROR) / (1 - RELATIVE_ERROR);
const LEAST_MS = 0.1;
/** Longest duration in ms that is distinguished: one day. Longer durations count as one day. */
const MOST_MS = 86_400_000;
/** Number of buckets, 413: the first contains all durations up to `LEAST_MS`, the last all from `MOST_MS` on. */
const BUCKETS = bucketOf(MOST_MS) + 1;

/** Histogram of durations in 1.7 KB, for any number of them. Count, minimum and maximum are exact. */
export class DurationHistogram {
  readonly #counts = new Uint32Array(BUCKETS);
  #count = 0;
  #leastMs = Infinity;
  #mostMs = 0;

  get count(): number {
    return this.#count;
  }

  get mostMs(): number {
    return this.#mostMs;
  }

  add(durationMs: number): void {
    const bucket = Math.min(BUCKETS - 1, bucketOf(durationMs));
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    this.#count += 1;
    this.#leastMs = Math.min(this.#leastMs, durationMs);
    this.#mostMs = Math.max(this.#mostMs, durationMs);
  }

  /**
   * Duration that the share `quantile` of all durations did not exceed (nearest rank). Undefined while the histogram is empty.
   * @param quantile share above 0, at most 1
   */
  quantileMs(quantile: number): number | undefined {
    if (this.#count === 0) return undefined;
    const rank = Math.ceil(quantile * this.#count);
    let seen = 0;
    const bucket = this.#counts.findIndex((count) => (seen += count) >= rank);
    const middleMs = bucket === BUCKETS - 1 ? this.#mostMs : middleOf(bucket);
    return Math.min(this.#mostMs, Math.max(this.#leastMs, middleMs));
  }

  clear(): void {
    this.#counts.fill(0);
    this.#count = 0;
    this.#leastMs = Infinity;
    this.#mostMs = 0;
  }
}

/** Bucket index of a duration. Bucket n holds durations above `LEAST_MS` × `GROWTH`^(n - 1), up to `LEAST_MS` × `GROWTH`^n. */
function bucketOf(durationMs: number): number {
  return durationMs <= LEAST_MS ? 0 : Math.ceil(Math.log(durationMs / LEAST_MS) / Math.log(GROWTH));
}

function middleOf(bucket: number): number {
  return bucket === 0 ? LEAST_MS : (2 * LEAST_MS * GROWTH ** bucket) / (GROWTH + 1);
}
