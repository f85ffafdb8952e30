import { describe, expect, it } from 'vitest';
import { SampleSeries } from '../../../renderer/store/sample-series.ts';
import { aSample } from '../builders.ts';

const MINUTE_MS = 60_000;
const times = (ring: SampleSeries) => ring.samples.map((sample) => sample.at);

describe('SampleSeries', () => {
  it('takes newer samples only', () => {
    const ring = new SampleSeries();
    expect(ring.append(aSample(1000))).toBe(true);
    expect(ring.append(aSample(1000))).toBe(false);
    expect(ring.append(aSample(500))).toBe(false);
    expect(ring.append(aSample(2000))).toBe(true);
    expect(times(ring)).toEqual([1000, 2000]);
    expect(ring.latest?.at).toBe(2000);
  });

  it('merges older samples into their places and keeps what it has', () => {
    const ring = new SampleSeries();
    ring.append(aSample(3000, { memoryBytes: 7 }));
    expect(ring.merge([aSample(3000, { memoryBytes: 8 }), aSample(1000), aSample(4000), aSample(2000)])).toBe(
      true,
    );
    expect(times(ring)).toEqual([1000, 2000, 3000, 4000]);
    expect(ring.samples[2]?.memoryBytes).toBe(7);
    expect(ring.merge([aSample(2000)])).toBe(false);
  });

  it('finds samples from an instant on', () => {
    const ring = new SampleSeries();
    ring.merge([1000, 2000, 3000].map((at) => aSample(at)));
    expect(ring.since(2000).map((sample) => sample.at)).toEqual([2000, 3000]);
    expect(ring.since(2500).map((sample) => sample.at)).toEqual([3000]);
    expect(ring.since(9000)).toEqual([]);
    expect(ring.since(0)).toHaveLength(3);
  });

  it('stays bounded over a day of samples, and holds the last minutes', () => {
    const ring = new SampleSeries();
    const endAt = 24 * 60 * MINUTE_MS;
    for (let at = 0; at <= endAt; at += 1000) ring.append(aSample(at));
    expect(ring.since(endAt - 5 * MINUTE_MS + 1)).toHaveLength(300);
    expect(ring.samples.length).toBeLessThanOrEqual(500);
  });
});
