import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { averageByBucket, KeptBuckets } from '../../../renderer/overview/usage-buckets.ts';
import { aSample } from '../builders.ts';

const BUCKET_MS = 5000;

describe('averageByBucket', () => {
  it('averages what lies in one bucket, each figure by itself', () => {
    const samples = [
      aSample(0, { memoryBytes: 10, cpuPercent: undefined as never }),
      aSample(4000, { memoryBytes: 30, cpuPercent: 8 }),
      aSample(5000, { memoryBytes: undefined as never, cpuPercent: 2 }),
    ];
    expect([...averageByBucket(samples, BUCKET_MS)]).toEqual([
      [0, { memoryBytes: 20, cpuPercent: 8 }],
      [1, { memoryBytes: undefined, cpuPercent: 2 }],
    ]);
  });
});

describe('KeptBuckets', () => {
  it('reads again only what came since the last bucket, not the hour', () => {
    const kept = new KeptBuckets();
    const samples = Array.from({ length: 3600 }, (_, second) => aSample(second * 1000));
    const read: number[] = [];
    const since = (from: number) => {
      const found = samples.filter(({ at }) => at >= from);
      read.push(found.length);
      return found;
    };
    kept.update(since, 0, BUCKET_MS, 0);
    samples.push(aSample(3_600_000), aSample(3_605_000));
    kept.update(since, 0, BUCKET_MS, 1);
    expect(read).toEqual([3600, 7]);
  });

  it('forgets what it kept when the past was completed', () => {
    const kept = new KeptBuckets();
    const late = [aSample(20_000)];
    expect([...kept.update(() => late, 0, BUCKET_MS, 0).keys()]).toEqual([4]);
    const all = [aSample(1000), ...late];
    expect([...kept.update(() => all, 1, BUCKET_MS, 0).keys()]).toEqual([0, 4]);
  });

  it('says the same as if everything had been read at once, whenever it is asked', () => {
    const steps = fc.array(fc.record({ gapMs: fc.integer({ min: 1, max: 9000 }), memory: fc.nat(100) }), {
      minLength: 1,
      maxLength: 60,
    });
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 8 }), (given, every) => {
        const kept = new KeptBuckets();
        const samples: ReturnType<typeof aSample>[] = [];
        let at = 0;
        given.forEach(({ gapMs, memory }, index) => {
          at += gapMs;
          samples.push(aSample(at, { memoryBytes: memory }));
          if (index % every !== 0) return;
          const first = Math.max(0, Math.floor(at / BUCKET_MS) - 10);
          const since = (from: number) => samples.filter((sample) => sample.at >= from);
          expect(new Map(kept.update(since, 0, BUCKET_MS, first))).toEqual(
            new Map(averageByBucket(since(first * BUCKET_MS), BUCKET_MS)),
          );
        });
      }),
    );
  });
});
