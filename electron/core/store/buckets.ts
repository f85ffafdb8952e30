import type { Span } from '../../../shared/history.ts';
import type { BucketSpan } from './bucket-span.ts';
import type { Stat } from './figures.ts';

/** One bucket that holds something. */
export interface Bucket extends Stat {
  /** It covers `from + index * stepMs` up to `stepMs` later. */
  readonly index: number;
}

/** Down-sampling: figures in any order and of any resolution, merged into the buckets of a span. */
export class Buckets {
  readonly #span: BucketSpan;
  readonly #counts: Float64Array;
  readonly #mins: Float64Array;
  readonly #sums: Float64Array;
  readonly #maxes: Float64Array;

  constructor(span: BucketSpan) {
    const size = bucketCount(span);
    this.#span = span;
    this.#counts = new Float64Array(size);
    this.#mins = new Float64Array(size);
    this.#sums = new Float64Array(size);
    this.#maxes = new Float64Array(size);
  }

  /** Takes what was measured from `at` on, with the sum of `count` values. What lies outside the span is left out. */
  add(at: number, count: number, min: number, sum: number, max: number): void {
    const { from, to, stepMs } = this.#span;
    if (count === 0 || at < from || at >= to) return;
    const index = Math.floor((at - from) / stepMs);
    const isFirst = this.#counts[index] === 0;
    this.#mins[index] = isFirst ? min : Math.min(this.#mins[index]!, min);
    this.#maxes[index] = isFirst ? max : Math.max(this.#maxes[index]!, max);
    this.#counts[index]! += count;
    this.#sums[index]! += sum;
  }

  /** Those that hold something, ascending. */
  get filled(): readonly Bucket[] {
    const filled: Bucket[] = [];
    for (const [index, count] of this.#counts.entries()) {
      if (count === 0) continue;
      filled.push({
        index,
        count,
        min: this.#mins[index]!,
        sum: this.#sums[index]!,
        max: this.#maxes[index]!,
      });
    }
    return filled;
  }
}

const bucketCount = ({ from, to, stepMs }: Span & { readonly stepMs: number }): number =>
  Math.max(0, Math.ceil((to - from) / stepMs));
