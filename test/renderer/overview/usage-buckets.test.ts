import { describe, expect, it } from 'vitest';
import { averageByBucket } from '../../../renderer/overview/usage-buckets.ts';
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
