import { describe, expect, it } from 'vitest';
import { MemorySource } from '../../../electron/core/store/memory-source.ts';
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
