import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CurrentTask } from '../../../electron/core/current-task.ts';
import type { ServerSupervisor } from '../../../electron/core/supervisor/server-supervisor.ts';
import { SampleRing, ServerTelemetry } from '../../../electron/core/telemetry/server-telemetry.ts';
import { createFakeClock } from '../fake-clock.ts';

/** Telemetry of one server, which the test describes. */
function bench(of: { transport: 'http' | 'stdio'; run?: { pid: number }; leastIntervalMs?: number }) {
  const clock = createFakeClock();
  const { transport, run, leastIntervalMs } = of;
  const server = {
    name: 'remote',
    config: { transport },
    run,
    connection: {} as object | undefined,
  };
  const sampled: string[] = [];
  let looks = 0;
  const readTrees = () => {
    looks += 1;
    return Promise.resolve(new Map());
  };
  const telemetry = new ServerTelemetry({
    clock,
    currentTask: new CurrentTask(clock),
    wallClock: clock,
    table: { readTrees, leastIntervalMs } as never,
    supervisors: () => [server as unknown as ServerSupervisor],
    onSampled: (name) => sampled.push(name),
    onTickDone: () => undefined,
    onError: (error) => {
      throw error;
    },
  });
  return { clock, server, sampled, telemetry, looks: () => looks };
}

describe('ServerTelemetry of a remote server', () => {
  it('has one sample per answered probe, with the round trip as its only figure', async () => {
    const { clock, sampled, telemetry } = bench({ transport: 'http' });
    expect(telemetry.latest('remote')).toBeUndefined();
    telemetry.probeAnswered('remote', 12.5);
    const first = { at: clock.epochMs(), rttMs: 12.5, processCount: 0 };
    expect(telemetry.latest('remote')).toEqual(first);
    await clock.advance(60_000);
    telemetry.probeAnswered('remote', 8);
    const second = { at: clock.epochMs(), rttMs: 8, processCount: 0 };
    expect(telemetry.latest('remote')).toEqual(second);
    expect(telemetry.history('remote', 0)).toEqual([first, second]);
    expect(sampled).toEqual(['remote', 'remote']);
    telemetry.dispose();
  });

  it('keeps the figure while the server is up, and its history afterwards', async () => {
    const { clock, server, telemetry } = bench({ transport: 'http' });
    telemetry.probeAnswered('remote', 3);
    telemetry.poke();
    await clock.advance(10_000);
    expect(telemetry.latest('remote')).toBeDefined();
    server.connection = undefined;
    telemetry.poke();
    await clock.advance(10_000);
    expect(telemetry.latest('remote')).toBeUndefined();
    expect(telemetry.history('remote', 0)).toHaveLength(1);
    telemetry.forget('remote');
    expect(telemetry.history('remote', 0)).toEqual([]);
    telemetry.dispose();
    expect(clock.pending).toBe(0);
  });
});

describe('the samples of ServerTelemetry', () => {
  it('are kept for an hour at one per second, the oldest dropped first', async () => {
    const { clock, telemetry } = bench({ transport: 'http' });
    const beganAt = clock.epochMs();
    for (let second = 0; second < 4000; second += 1) {
      telemetry.probeAnswered('remote', 1);
      await clock.advance(1000);
    }
    const kept = telemetry.history('remote', 0);
    expect([kept.length, kept[0]?.at, kept.at(-1)?.at]).toEqual([
      3600,
      beganAt + 400_000,
      beganAt + 3_999_000,
    ]);
    expect(telemetry.history('remote', beganAt + 3_998_000)).toHaveLength(2);
    expect(telemetry.history('nobody', 0)).toEqual([]);
    telemetry.dispose();
  });
});

describe('ServerTelemetry where a look is dear', () => {
  it.each([
    [undefined, 61],
    [5000, 13],
  ])('leaves %s ms between its looks: %i in a minute', async (leastIntervalMs, expected) => {
    const dear = { run: { pid: 8 }, ...(leastIntervalMs !== undefined && { leastIntervalMs }) };
    const { clock, telemetry, looks } = bench({ transport: 'stdio', ...dear });
    telemetry.poke();
    await clock.advance(60_000);
    expect(looks()).toBe(expected);
    telemetry.dispose();
  });
});

describe('SampleRing', () => {
  it('keeps the order of taking when the clock was set back', () => {
    const ring = new SampleRing(10);
    for (const at of [5000, 100, 200]) ring.add({ at, processCount: 1 });
    expect(ring.since(150).map(({ at }) => at)).toEqual([5000, 200]);
  });

  it('gives back exactly the last samples, absent figures absent', () => {
    const figure = fc.option(fc.nat(), { nil: undefined });
    const anySample = fc.record(
      { at: fc.nat(), processCount: fc.nat(), memoryBytes: figure, cpuPercent: figure, openFiles: figure },
      { requiredKeys: ['at', 'processCount'] },
    );
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 300 }),
        fc.array(anySample, { maxLength: 500 }),
        (capacity, samples) => {
          const ring = new SampleRing(capacity);
          for (const one of samples) ring.add(one);
          const known = samples.map((one) => JSON.parse(JSON.stringify(one)) as unknown);
          expect(ring.since(0)).toEqual(known.slice(-capacity));
        },
      ),
    );
  });
});
