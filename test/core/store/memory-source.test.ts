import { describe, expect, it } from 'vitest';
import { MemorySource, withRecentCalls } from '../../../electron/core/store/memory-source.ts';
import { HOUR_MS, MINUTE_MS, START } from './history-fixture.ts';

const minute = (calls: number) => ({ at: START, calls, errors: 0 });
const source = new MemorySource({
  samples: () => [],
  callMinutes: (server) => [minute(server === 'one' ? 1 : 2)],
  clientCallMinutes: (client) => (client === 'editor' ? [minute(7)] : []),
  servers: () => ['one', 'two'],
  events: () => [],
});

describe('the calls that this launch remembers', () => {
  it.each([
    ['of all servers', {}, 3],
    ['of one server', { server: 'two' }, 2],
    ['of one client', { client: 'editor' }, 7],
    ['of a client that made none', { client: 'other' }, undefined],
    ['of one client at one server, which is not remembered', { client: 'editor', server: 'one' }, undefined],
  ])('are told %s', async (_of, query, calls) => {
    const span = { from: START, to: START + HOUR_MS, maxBuckets: HOUR_MS / MINUTE_MS };
    const { buckets } = await source.calls({ ...span, ...query });
    expect(buckets[0]?.calls).toBe(calls);
  });
});

it('tells calls of each server that is asked for by itself', async () => {
  const span = { from: START, to: START + HOUR_MS, maxBuckets: HOUR_MS / MINUTE_MS };
  const { servers } = await source.calls({ ...span, eachOf: ['two', 'one'] });
  expect(servers).toEqual([
    { server: 'two', buckets: [{ index: 0, calls: 2, errors: 0 }] },
    { server: 'one', buckets: [{ index: 0, calls: 1, errors: 0 }] },
  ]);
});

it('adds to what the file has the calls that are not in it yet, and the percentiles of their minutes', () => {
  const span = { from: START, to: START + HOUR_MS, stepMs: MINUTE_MS };
  const kept = [
    { index: 0, calls: 9, errors: 1, averageMs: 4, maxMs: 9 },
    { index: 1, calls: 1, errors: 0, averageMs: 4, maxMs: 9 },
  ];
  const recent = [
    { index: 0, calls: 2, errors: 0, maxMs: 5, p50Ms: 3, p95Ms: 5 },
    { index: 1, calls: 2, errors: 0, maxMs: 9, p50Ms: 3, p95Ms: 9 },
    { index: 2, calls: 1, errors: 0 },
  ];
  const { buckets } = withRecentCalls({ ...span, buckets: kept }, { ...span, buckets: recent });
  expect(buckets).toEqual([kept[0], { ...recent[1], averageMs: 4 }, recent[2]]);
  const coarse = { ...span, stepMs: 2 * MINUTE_MS, buckets: kept };
  expect(withRecentCalls(coarse, { ...span, buckets: recent })).toEqual(coarse);
});
