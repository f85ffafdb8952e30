import type { Sample } from '../../shared/domain.ts';

/** Averages of one server over one bucket; a figure without any sample is absent, never 0. */
export interface UsageAverages {
  readonly memoryBytes?: number | undefined;
  readonly cpuPercent?: number | undefined;
}

/** Averages by the number of their bucket, which is its instant divided by the bucket's length. */
export type UsageBuckets = ReadonlyMap<number, UsageAverages>;

/** Samples of a server at or after an instant, oldest first. */
export type ReadSamples = (fromMs: number) => readonly Sample[];

/** Averages of samples by bucket. */
export function averageByBucket(samples: readonly Sample[], bucketMs: number): UsageBuckets {
  const sums = new Map<number, { memory: Sum; cpu: Sum }>();
  for (const { at, memoryBytes, cpuPercent } of samples) {
    const bucket = Math.floor(at / bucketMs);
    const sum = sums.get(bucket) ?? { memory: { sum: 0, count: 0 }, cpu: { sum: 0, count: 0 } };
    sums.set(bucket, sum);
    add(sum.memory, memoryBytes);
    add(sum.cpu, cpuPercent);
  }
  return new Map(
    [...sums].map(([bucket, { memory, cpu }]) => [
      bucket,
      { memoryBytes: averageOf(memory), cpuPercent: averageOf(cpu) },
    ]),
  );
}

/**
 * Averages of one server that are kept from one drawing to the next, because an hour of a hundred servers is
 * too much to add up every few seconds: only what came since the last complete bucket is read again.
 */
export class KeptBuckets {
  readonly #averages = new Map<number, UsageAverages>();
  /** Key of what the averages were made of; another one makes them anew. */
  #madeOf = '';
  /** First bucket that may still change. */
  #next = -Infinity;

  /**
   * Averages from the bucket `first` on.
   * @param fills number that grows when the past was completed, so that nothing kept is true any more
   */
  update(read: ReadSamples, fills: number, bucketMs: number, first: number): UsageBuckets {
    const madeOf = `${fills} ${bucketMs}`;
    if (madeOf !== this.#madeOf) {
      this.#averages.clear();
      this.#madeOf = madeOf;
      this.#next = first;
    }
    const from = Math.max(first, this.#next);
    for (const [bucket, averages] of averageByBucket(read(from * bucketMs), bucketMs)) {
      this.#averages.set(bucket, averages);
      this.#next = Math.max(this.#next, bucket);
    }
    for (const bucket of this.#averages.keys()) if (bucket < first) this.#averages.delete(bucket);
    return this.#averages;
  }
}

interface Sum {
  sum: number;
  count: number;
}

function add(to: Sum, figure: number | undefined): void {
  if (figure === undefined) return;
  to.sum += figure;
  to.count += 1;
}

const averageOf = ({ sum, count }: Sum): number | undefined => (count === 0 ? undefined : sum / count);
