import { connect } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Clock } from '../../../../electron/core/clock.ts';
import { agentsBy, EngineApi } from '../../../../electron/core/platform/containers/engine-api.ts';
import { dockerEvents, EngineLink } from '../../../../electron/core/platform/containers/engine-link.ts';
import { EngineStats } from '../../../../electron/core/platform/containers/engine-stats.ts';
import { systemClock } from '../../../../electron/core/platform/system-clock.ts';
import { FakeEngine } from '../../../fixtures/engine/fake-engine.ts';
import { skipOn } from '../../../support/skip-on.ts';
import { createFakeClock } from '../../fake-clock.ts';

/** An engine whose frames and events the test sends. */
async function startEngine() {
  const engine = new FakeEngine();
  await engine.listen();
  onTestFinished(() => engine.close());
  const send = (second: number, threads: number, usage = 3000) =>
    engine.measure(new Date(second * 1000), second * 5e6, { threads, usage });
  const timesAsked = (what: string) => engine.asked.filter((path) => path.endsWith(`/${what}`)).length;
  const linkBy = (clock: Clock) => {
    const api = new EngineApi(
      agentsBy(() => connect(engine.path)),
      clock,
    );
    const none = () => undefined;
    const events = dockerEvents('a=b');
    const link = new EngineLink({ name: 'docker', api, clock, events, onLost: none, onBack: none });
    onTestFinished(() => link.close());
    return link;
  };
  /** Figures of a container, once they are followed. */
  const follow = async (clock: Clock = systemClock) => {
    const stats = new EngineStats(linkBy(clock), 'box', clock);
    onTestFinished(() => stats.dispose());
    await vi.waitFor(() => expect([engine.measured.size, engine.followers.length]).toEqual([1, 1]));
    return stats;
  };
  return { engine, follow, linkBy, send, timesAsked };
}

const isApart = skipOn('win32', 'the API of this test is a socket in a folder');

describe('figures of the API of an engine', isApart, () => {
  it('are those of the latest frame, with the state of the container and its processes', async () => {
    const { engine, follow, send, timesAsked } = await startEngine();
    const box = engine.add('box');
    const stats = await follow();
    expect(stats.read()).toBeUndefined();
    send(1, 7);
    await vi.waitFor(() =>
      expect(stats.read()).toEqual({
        ...{ atMs: 1000, memoryBytes: 2000, cpuTimeMs: 5, processCount: 1 },
        ...{ isPaused: false, isAtWork: false, isOutOfMemory: false },
      }),
    );
    send(2, 7, 4000);
    await vi.waitFor(() => expect(stats.read()).toMatchObject({ atMs: 2000, memoryBytes: 3000 }));
    expect(timesAsked('top')).toBe(1);
    box.processes = 3;
    send(3, 9);
    await vi.waitFor(() => expect(stats.read()).toMatchObject({ processCount: 3 }));
  });

  it('come again after the engine was away, and are none meanwhile', async () => {
    const { engine, follow, send } = await startEngine();
    engine.add('box');
    const clock = createFakeClock();
    const stats = await follow(clock);
    send(1, 7);
    await vi.waitFor(() => expect(stats.read()).toBeDefined());
    const [first] = engine.measured;
    first?.destroy();
    await vi.waitFor(async () => {
      await clock.advance(8000);
      expect(stats.read()).toBeUndefined();
      expect([...engine.measured].filter((stream) => stream !== first)).toHaveLength(1);
    });
    send(2, 7);
    await vi.waitFor(() => expect(stats.read()).toMatchObject({ atMs: 2000 }));
  });

  it('are asked for once where the engine has no such container', async () => {
    const { linkBy, timesAsked } = await startEngine();
    const clock = createFakeClock();
    const link = linkBy(clock);
    const stats = new EngineStats(link, 'box', clock);
    await vi.waitFor(() => expect(timesAsked('stats')).toBe(1));
    // The refusal has come before the time for it can pass.
    await vi.waitFor(() => expect(link.happened.size).toBe(0));
    await clock.advance(60_000);
    expect(timesAsked('stats')).toBe(1);
    stats.dispose();
  });

  it('hear of a pause from the events, also of one that came during a cut', async () => {
    const { engine, follow, send } = await startEngine();
    engine.add('box').isPaused = true;
    const stats = await follow();
    send(1, 7);
    await vi.waitFor(() => expect(stats.read()).toMatchObject({ isPaused: true }));
    engine.tell('box', 'unpause', 1_800_000_000);
    await vi.waitFor(() => expect(stats.read()).toMatchObject({ isPaused: false }));
    engine.tell('another', 'pause', 1_800_000_001);
    engine.tell('box', 'oom', 1_800_000_002);
    await vi.waitFor(() => expect(stats.read()).toMatchObject({ isPaused: false, isOutOfMemory: true }));
    engine.followers[0]?.response.destroy();
    await vi.waitFor(() => expect(engine.followers).toHaveLength(2));
    engine.tell('box', 'pause', 1_800_000_003);
    await vi.waitFor(() => expect(stats.read()).toMatchObject({ isPaused: true }));
    const filters = '{"type":["container"],"event":["die","kill","oom","pause","unpause"],"label":["a=b"]}';
    const engineS = Date.parse('2025-12-31T23:59:59Z') / 1000;
    expect(engine.followers.map(({ query }) => Object.fromEntries(query))).toEqual([
      { filters, since: String(engineS) },
      { filters, since: '1800000002' },
    ]);
  });

  it('of a hundred containers are asked for once each, and nothing is asked again while they idle', async () => {
    const { engine, linkBy, send, timesAsked } = await startEngine();
    const link = linkBy(systemClock);
    const all = Array.from({ length: 100 }, (_, at) => {
      const { id } = engine.add(`box${at}`);
      return new EngineStats(link, id, systemClock);
    });
    onTestFinished(() => all.forEach((stats) => stats.dispose()));
    await vi.waitFor(() => expect([engine.measured.size, engine.followers.length]).toEqual([100, 1]));
    for (let second = 1; second <= 10; second += 1) {
      send(second, 7);
      const isRead = (stats: EngineStats) => stats.read()?.atMs === second * 1000;
      await vi.waitFor(() => expect(all.every(isRead)).toBe(true));
    }
    const counts = ['_ping', 'events', 'stats', 'json', 'top'].map(timesAsked);
    expect([counts, engine.asked.length]).toEqual([[1, 1, 100, 100, 100], 302]);
  });
});
