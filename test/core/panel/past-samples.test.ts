import { describe, expect, it } from 'vitest';
import { createDeferred } from '../../../electron/core/deferred.ts';
import { LineTimes } from '../../../electron/core/journal/line-times.ts';
import { outputTopic } from '../../../electron/core/panel/topics/output.ts';
import { MemorySource } from '../../../electron/core/store/memory-source.ts';
import type { Sample } from '../../../shared/domain.ts';
import type { SeriesQuery, SeriesReply } from '../../../shared/history.ts';
import { createFakeClock } from '../fake-clock.ts';
import { HOUR_MS } from '../../../shared/units.ts';

const START = 1_800_000_000_000;
const OWN = { at: START + 1000, processCount: 1 };

/** A launch that began at `START` and has seen one sample; what is asked of the past is answered from `earlier`. */
function bench(earlier: readonly Sample[], answer?: (reply: Promise<SeriesReply>) => Promise<SeriesReply>) {
  const clock = createFakeClock(START);
  const asked: SeriesQuery[] = [];
  const source = new MemorySource({
    samples: (_server, since) => earlier.filter(({ at }) => at >= since),
    callMinutes: () => [],
    clientCallMinutes: () => [],
    servers: () => [],
    events: () => [],
  });
  const topic = outputTopic({
    clock,
    fleet: { get: (name) => ({ name }) },
    journal: { outputs: new Map(), times: new LineTimes({ epochMs: () => START }) },
    logPage: () => Promise.reject(new Error('not asked for')),
    telemetry: { history: (_server, since) => (since <= OWN.at ? [OWN] : []) },
    calls: { since: () => [] },
    history: {
      source: {
        series: (query) => {
          asked.push(query);
          const reply = source.series(query);
          return answer ? answer(reply) : reply;
        },
      },
    },
    launchedAt: START,
  });
  return { clock, topic, asked };
}

const full = (at: number) => ({ at, memoryBytes: at % 97, cpuPercent: 0.5, openFiles: 4, processCount: 2 });

describe('samples of before this launch', () => {
  it('are every second of the hour before it with all its figures, a gap as a gap, and its own behind them', async () => {
    const seconds = Array.from({ length: 3600 }, (_, second) => START - HOUR_MS + second * 1000);
    const earlier = seconds.filter((_, second) => second < 1000 || second > 2200).map(full);
    const { clock, topic } = bench(earlier);
    expect(await topic.history('one', 0)).toEqual([...earlier, OWN]);
    expect(clock.pending).toBe(0);
  });

  it('have the round trips of a remote server, which has no other figure', async () => {
    const earlier = [{ at: START - 5000, rttMs: 12.5, processCount: 0 }];
    expect(await bench(earlier).topic.history('remote', START - HOUR_MS)).toEqual([...earlier, OWN]);
  });

  it('are asked for as far back as somebody wants them, and not at all where this launch has seen the whole time', async () => {
    const { topic, asked } = bench([full(START - 3000), full(START - 1000)]);
    expect(await topic.history('one', START - 2000)).toEqual([full(START - 1000), OWN]);
    expect(asked).toMatchObject([{ servers: ['one'], from: START - 2000, to: START }]);
    expect(await topic.history('one', START)).toEqual([OWN]);
    expect(asked).toHaveLength(1);
  });

  it('let nobody wait longer than two seconds for a file that does not open', async () => {
    const held = createDeferred<undefined>();
    const { clock, topic } = bench([full(START - 1000)], (reply) => held.promise.then(() => reply));
    let samples: readonly Sample[] | undefined;
    const waiting = topic.history('one', 0).then((found) => (samples = found));
    await clock.advance(1999);
    expect(samples).toBeUndefined();
    await clock.advance(1);
    await waiting;
    expect(samples).toEqual([OWN]);
    held.resolve(undefined);
    await clock.advance(0);
    expect(await topic.history('one', 0)).toHaveLength(2);
  });

  it('are no minutes, and none of a history that is closed', async () => {
    const coarse = bench([full(START - 1000)], async (reply) => ({ ...(await reply), stepMs: 60_000 }));
    expect(await coarse.topic.history('one', 0)).toEqual([OWN]);
    const closed = bench([], () => Promise.reject(new Error('closed')));
    expect(await closed.topic.history('one', 0)).toEqual([OWN]);
  });
});
