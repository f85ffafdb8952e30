import type { Sample } from '../../shared/domain.ts';

/** Span in ms that is kept: that of the sparklines, and a little more. */
export const RECENT_SPAN_MS = 360_000;
/** Least number of samples dropped at once, so that most appends drop none. */
const TRIM_BLOCK = 120;

/** Samples of one server in the last minutes, oldest first, one per instant. Older ones are in the history. */
export class SampleSeries {
  #samples: Sample[] = [];

  /** Samples, read-only and valid until the next change; callers that keep them must copy them. */
  get samples(): readonly Sample[] {
    return this.#samples;
  }

  get latest(): Sample | undefined {
    return this.#samples.at(-1);
  }

  /** Adds a newer sample and returns true; otherwise ignores it, because a change of state repeats the last sample. */
  append(sample: Sample): boolean {
    const { latest } = this;
    if (latest !== undefined && sample.at <= latest.at) return false;
    this.#samples.push(sample);
    this.#trim();
    return true;
  }

  /** Merges samples in any order; those already here stay. Returns whether any was new. */
  merge(others: readonly Sample[]): boolean {
    const known = new Set(this.#samples.map((sample) => sample.at));
    const added = others.filter((sample) => !known.has(sample.at));
    if (added.length === 0) return false;
    this.#samples = [...this.#samples, ...added].sort((a, b) => a.at - b.at);
    this.#trim();
    return true;
  }

  /** Samples at or after `fromMs`. */
  since(fromMs: number): readonly Sample[] {
    return this.#samples.slice(this.#indexOf(fromMs));
  }

  #trim(): void {
    const newest = this.latest?.at ?? 0;
    const outdated = this.#indexOf(newest - RECENT_SPAN_MS);
    if (outdated >= TRIM_BLOCK) this.#samples.splice(0, outdated);
  }

  /** Index of the first sample at or after `fromMs`. */
  #indexOf(fromMs: number): number {
    let low = 0;
    let high = this.#samples.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#samples[middle]?.at ?? 0) < fromMs) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
