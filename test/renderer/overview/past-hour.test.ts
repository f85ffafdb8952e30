import { describe, expect, it } from 'vitest';
import { MAX_SERIES_BUCKETS, type SeriesReply } from '../../../shared/history.ts';
import { hourQuery, pastHour } from '../../../renderer/overview/past-hour.ts';

const MINUTE_MS = 60_000;
const NOW = 1_800_000_123_456;

describe('the question for the last hour', () => {
  it('covers the whole hour up to now, in minutes', () => {
    const { from, to, maxBuckets } = hourQuery(['one'], NOW);
    expect(from).toBeLessThanOrEqual(NOW - 60 * MINUTE_MS);
    expect(to).toBeGreaterThan(NOW);
    expect((to - from) / maxBuckets).toBeLessThanOrEqual(MINUTE_MS);
    expect(maxBuckets).toBeLessThanOrEqual(MAX_SERIES_BUCKETS);
  });

  it('stays the same for minutes on end, so that its answer is kept', () => {
    const asked = new Set<string>();
    for (let at = NOW; at < NOW + 60 * MINUTE_MS; at += 1000)
      asked.add(JSON.stringify(hourQuery(['one'], at)));
    expect(asked.size).toBeLessThanOrEqual(13);
  });
});

describe('the last hour as the history answered it', () => {
  const reply = {
    from: 100 * MINUTE_MS,
    stepMs: MINUTE_MS,
    series: [
      { server: 'one', metric: 'memoryBytes', index: [3, 4], min: [1, 1], avg: [2, 3], max: [4, 4] },
      { server: 'two', metric: 'memoryBytes', index: [], min: [], avg: [], max: [] },
    ],
  } as unknown as SeriesReply;

  it('has the averages by the number of their minute, and knows how far back it goes', () => {
    const hour = pastHour(reply);
    expect([...hour.of('one', 'memoryBytes')!]).toEqual([
      [103, 2],
      [104, 3],
    ]);
    expect(hour.oldestAt).toBe(103 * MINUTE_MS);
    expect(hour.of('one', 'cpuPercent')).toBeUndefined();
  });

  it('begins nowhere where there is nothing', () => {
    expect(pastHour({ ...reply, series: [] }).oldestAt).toBeUndefined();
  });
});
