import type { Sample } from '../../shared/domain.ts';

/** Averages of one server over one bucket; a figure without any sample is absent, never 0. */
export interface UsageAverages {
  readonly memoryBytes?: number | undefined;
  readonly cpuPercent?: number | undefined;
}

/** Averages by the number of their bucket, which is its instant divided by the bucket's length. */
export type UsageBuckets = ReadonlyMap<number, UsageAverages>;

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
