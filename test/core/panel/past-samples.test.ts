import { describe, expect, it } from 'vitest';
import { createDeferred } from '../../../electron/core/deferred.ts';
import { PastSamples } from '../../../electron/core/panel/past-samples.ts';
import { MemorySource } from '../../../electron/core/store/memory-source.ts';
import type { Sample } from '../../../shared/domain.ts';
import type { SeriesQuery, SeriesReply } from '../../../shared/history.ts';
import { createFakeClock } from '../fake-clock.ts';

const START = 1_800_000_000_000;
const HOUR_MS = 3_600_000;

/** What is asked of the past, answered from the samples that the test hands in. */
function bench(earlier: readonly Sample[], answer?: (reply: Promise<SeriesReply>) => Promise<SeriesReply>) {
  const clock = createFakeClock(START);
  const asked: SeriesQuery[] = [];
  const restored: { readonly server: string; readonly samples: readonly Sample[] }[] = [];
  const source = new MemorySource({
    samples: (_server, since) => earlier.filter(({ at }) => at >= since),
    callMinutes: () => [],
    clientCallMinutes: () => [],
    servers: () => [],
    events: () => [],
  });
  const past = new PastSamples({
    clock,
    wallClock: clock,
    source: {
      series: (query) => {
        asked.push(query);
        const reply = source.series(query);
        return answer ? answer(reply) : reply;
      },
    },
    restore: (server, samples) => restored.push({ server, samples }),
  });
  return { clock, past, asked, restored };
}

const full = (at: number) => ({ at, memoryBytes: at % 97, cpuPercent: 0.5, openFiles: 4, processCount: 2 });

describe('PastSamples', () => {
  it('brings back every second of the last hour with all its figures, and a gap as a gap', async () => {
    const seconds = Array.from({ length: 3600 }, (_, second) => START - HOUR_MS + second * 1000);
    const earlier = seconds.filter((_, second) => second < 1000 || second > 2200).map(full);
    const { clock, past, restored } = bench(earlier);
    await past.ensure('one');
    expect(restored).toEqual([{ server: 'one', samples: earlier }]);
    expect(clock.pending).toBe(0);
  });

  it('brings back the round trips of a remote server, which has no other figure', async () => {
    const earlier = [{ at: START - 5000, rttMs: 12.5, processCount: 0 }];
    const { past, restored } = bench(earlier);
    await past.ensure('remote');
    expect(restored).toEqual([{ server: 'remote', samples: earlier }]);
  });

  it('asks once for each server, however often it is needed, and anew for one that was forgotten', async () => {
    const { past, restored } = bench([]);
    await Promise.all([past.ensure('one'), past.ensure('one'), past.ensure('two')]);
    await past.ensure('one');
    expect(restored.map(({ server }) => server)).toEqual(['one', 'two']);
    past.forget('one');
    await past.ensure('one');
    expect(restored).toHaveLength(3);
  });

  it('lets nobody wait longer than two seconds for a file that does not open, and fills in what comes later', async () => {
    const held = createDeferred<undefined>();
    const { clock, past, restored } = bench([full(START - 1000)], (reply) => held.promise.then(() => reply));
    let isOver = false;
    const waiting = past.ensure('one').then(() => (isOver = true));
    await clock.advance(1999);
    expect(isOver).toBe(false);
    await clock.advance(1);
    await waiting;
    expect(restored).toEqual([]);
    held.resolve(undefined);
    await clock.advance(0);
    expect(restored).toHaveLength(1);
  });

  it('takes no minutes for looks, and a history that is closed for an empty one', async () => {
    const coarse = bench([full(START - 1000)], async (reply) => ({ ...(await reply), stepMs: 60_000 }));
    await coarse.past.ensure('one');
    expect(coarse.restored).toEqual([{ server: 'one', samples: [] }]);
    const closed = bench([], () => Promise.reject(new Error('closed')));
    await closed.past.ensure('one');
    expect(closed.restored).toEqual([]);
  });
});
