import { createServer, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Clock } from '../../../../electron/core/clock.ts';
import { agentsBy, EngineApi } from '../../../../electron/core/platform/containers/engine-api.ts';
import { dockerEvents, EngineLink } from '../../../../electron/core/platform/containers/engine-link.ts';
import { EngineStats } from '../../../../electron/core/platform/containers/engine-stats.ts';
import { systemClock } from '../../../../electron/core/platform/system-clock.ts';
import { skipOn } from '../../../support/skip-on.ts';
import { createFakeClock } from '../../fake-clock.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

/** An engine of a hundred containers, whose frames and events the test sends. */
async function startEngine() {
  const socketPath = join(tempFolder('engine-stats-'), 's');
  const asked: string[] = [];
  const streams: ServerResponse[] = [];
  const followers: ServerResponse[] = [];
  const state = { isPaused: false, isKnown: true, processes: 1 };
  const server = createServer(({ url = '' }, response) => {
    const what = url.replace(/^\/(containers\/box\d*\/)?/, '').split('?')[0] ?? '';
    asked.push(url.startsWith('/events') ? decodeURIComponent(url) : what);
    if (what === '_ping') return void response.setHeader('Date', ENGINE_TIME).end('OK');
    if (what === 'events') {
      followers.push(response);
      return response.flushHeaders();
    }
    if (!state.isKnown) return void response.writeHead(404).end('{"message":"No such container"}');
    if (what === 'top')
      return void response.end(JSON.stringify({ Processes: Array(state.processes).fill([]) }));
    if (what === 'json')
      return void response.end(JSON.stringify({ State: { Running: true, Paused: state.isPaused } }));
    streams.push(response);
    response.flushHeaders();
  });
  await new Promise<void>((resolve) => server.listen(socketPath, resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const send = (second: number, threads: number, usage = 3000, stream = streams.at(-1)) =>
    stream?.write(
      `${JSON.stringify({
        read: new Date(second * 1000).toISOString(),
        memory_stats: { usage, stats: { inactive_file: 1000 } },
        cpu_stats: { cpu_usage: { total_usage: second * 5e6 } },
        pids_stats: { current: threads },
      })}\n`,
    );
  const tell = (action: string, second: number, id = 'box') =>
    followers.at(-1)?.write(`${JSON.stringify({ Action: action, Actor: { ID: id }, time: second })}\n`);
  const linkBy = (clock: Clock) => {
    const api = new EngineApi(
      agentsBy(() => connect(socketPath)),
      clock,
    );
    const none = () => undefined;
    const link = new EngineLink({
      name: 'docker',
      api,
      clock,
      events: dockerEvents('a=b'),
      onLost: none,
      onBack: none,
    });
    onTestFinished(() => link.close());
    return link;
  };
  return { asked, followers, linkBy, send, state, streams, tell };
}

const ENGINE_TIME = 'Thu, 01 Jan 2026 00:00:00 GMT';

describe(
  'figures of the API of an engine',
  skipOn('win32', 'the API of this test is a socket in a folder'),
  () => {
    it('are those of the latest frame, with the state of the container and its processes', async () => {
      const { asked, linkBy, send, state, streams } = await startEngine();
      const stats = new EngineStats(linkBy(systemClock), 'box', systemClock);
      onTestFinished(() => stats.dispose());
      await vi.waitFor(() => expect(streams).toHaveLength(1));
      expect(stats.read()).toBeUndefined();
      send(1, 7);
      await vi.waitFor(() =>
        expect(stats.read()).toEqual({
          atMs: 1000,
          memoryBytes: 2000,
          cpuTimeMs: 5,
          processCount: 1,
          isPaused: false,
          isAtWork: false,
          isOutOfMemory: false,
        }),
      );
      send(2, 7, 4000);
      await vi.waitFor(() => expect(stats.read()).toMatchObject({ atMs: 2000, memoryBytes: 3000 }));
      expect(asked.filter((what) => what === 'top')).toHaveLength(1);
      state.processes = 3;
      send(3, 9);
      await vi.waitFor(() => expect(stats.read()).toMatchObject({ processCount: 3 }));
    });

    it('come again after the engine was away, and are none meanwhile', async () => {
      const { linkBy, send, streams } = await startEngine();
      const clock = createFakeClock();
      const stats = new EngineStats(linkBy(clock), 'box', clock);
      onTestFinished(() => stats.dispose());
      await vi.waitFor(() => expect(streams).toHaveLength(1));
      send(1, 7);
      await vi.waitFor(() => expect(stats.read()).toBeDefined());
      streams[0]?.destroy();
      await vi.waitFor(async () => {
        await clock.advance(8000);
        expect(stats.read()).toBeUndefined();
        expect(streams.length).toBeGreaterThan(1);
      });
      send(2, 7);
      await vi.waitFor(() => expect(stats.read()).toMatchObject({ atMs: 2000 }));
    });

    it('are asked for once where the engine has no such container', async () => {
      const { asked, linkBy, state } = await startEngine();
      state.isKnown = false;
      const clock = createFakeClock();
      const link = linkBy(clock);
      const stats = new EngineStats(link, 'box', clock);
      const timesAsked = () => asked.filter((what) => what === 'stats').length;
      await vi.waitFor(() => expect(timesAsked()).toBe(1));
      // The refusal has come before the time for it can pass.
      await vi.waitFor(() => expect(link.happened.size).toBe(0));
      await clock.advance(60_000);
      expect(timesAsked()).toBe(1);
      stats.dispose();
    });

    it('hear of a pause from the events, also of one that came during a cut', async () => {
      const { asked, followers, linkBy, send, state, streams, tell } = await startEngine();
      state.isPaused = true;
      const stats = new EngineStats(linkBy(systemClock), 'box', systemClock);
      onTestFinished(() => stats.dispose());
      await vi.waitFor(() => expect([streams.length, followers.length]).toEqual([1, 1]));
      send(1, 7);
      await vi.waitFor(() => expect(stats.read()).toMatchObject({ isPaused: true }));
      tell('unpause', 1_800_000_000);
      await vi.waitFor(() => expect(stats.read()).toMatchObject({ isPaused: false }));
      tell('pause', 1_800_000_001, 'another');
      tell('oom', 1_800_000_002);
      await vi.waitFor(() => expect(stats.read()).toMatchObject({ isPaused: false, isOutOfMemory: true }));
      followers[0]?.destroy();
      await vi.waitFor(() => expect(followers).toHaveLength(2));
      tell('pause', 1_800_000_003);
      await vi.waitFor(() => expect(stats.read()).toMatchObject({ isPaused: true }));
      const filters = '{"type":["container"],"event":["die","kill","oom","pause","unpause"],"label":["a=b"]}';
      expect(asked.filter((what) => what.startsWith('/events'))).toEqual([
        `/events?filters=${filters}&since=${Date.parse(ENGINE_TIME) / 1000}`,
        `/events?filters=${filters}&since=1800000002`,
      ]);
    });

    it('of a hundred containers are asked for once each, and nothing is asked again while they idle', async () => {
      const { asked, followers, linkBy, send, streams } = await startEngine();
      const link = linkBy(systemClock);
      const all = Array.from({ length: 100 }, (_, at) => new EngineStats(link, `box${at}`, systemClock));
      onTestFinished(() => all.forEach((stats) => stats.dispose()));
      await vi.waitFor(() => expect([streams.length, followers.length]).toEqual([100, 1]));
      for (let second = 1; second <= 10; second += 1) {
        for (const stream of streams) send(second, 7, 3000, stream);
        const isRead = (stats: EngineStats) => stats.read()?.atMs === second * 1000;
        await vi.waitFor(() => expect(all.every(isRead)).toBe(true));
      }
      const counts = new Map<string, number>();
      for (const what of asked) {
        const kind = what.startsWith('/events') ? 'events' : what;
        counts.set(kind, (counts.get(kind) ?? 0) + 1);
      }
      expect(Object.fromEntries(counts)).toEqual({ _ping: 1, events: 1, stats: 100, json: 100, top: 100 });
    });
  },
);
