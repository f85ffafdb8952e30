import { createServer, type ServerResponse } from 'node:http';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { apiFigures } from '../../../../electron/core/platform/containers/open-figures.ts';
import { systemClock } from '../../../../electron/core/platform/system-clock.ts';
import { skipOn } from '../../../support/skip-on.ts';
import { createFakeClock } from '../../fake-clock.ts';

/** An engine of one container, whose frames the test sends. */
async function startEngine() {
  const folder = mkdtempSync(join(tmpdir(), 'engine-stats-'));
  const socketPath = join(folder, 's');
  const asked: string[] = [];
  const streams: ServerResponse[] = [];
  const state = { isPaused: false, isKnown: true, processes: 1 };
  const server = createServer(({ url = '' }, response) => {
    const what = url.replace('/containers/box/', '');
    asked.push(what);
    if (!state.isKnown) return void response.writeHead(404).end('{"message":"No such container"}');
    if (what === 'top')
      return void response.end(JSON.stringify({ Processes: Array(state.processes).fill([]) }));
    if (what === 'json')
      return void response.end(
        JSON.stringify({ State: { Running: true, Paused: state.isPaused }, HostConfig: {} }),
      );
    streams.push(response);
    response.flushHeaders();
  });
  await new Promise<void>((resolve) => server.listen(socketPath, resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const send = (second: number, threads: number, usage = 3000, cpuSecond = second) =>
    streams.at(-1)?.write(
      `${JSON.stringify({
        read: new Date(second * 1000).toISOString(),
        memory_stats: { usage, stats: { inactive_file: 1000 } },
        cpu_stats: { cpu_usage: { total_usage: cpuSecond * 5e6 } },
        pids_stats: { current: threads },
      })}\n`,
    );
  return { asked, send, socketPath, state, streams };
}

describe(
  'figures of the API of an engine',
  skipOn('win32', 'the API of this test is a socket in a folder'),
  () => {
    it('are those of the latest frame, with the state of the container and its processes', async () => {
      const { asked, send, socketPath, state, streams } = await startEngine();
      const stats = apiFigures({ socketPath }, 'box', systemClock);
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
        }),
      );
      // One that works is not asked about.
      send(2, 7, 4000);
      await vi.waitFor(() => expect(stats.read()).toMatchObject({ atMs: 2000, isPaused: false }));
      expect(asked.filter((what) => what === 'json')).toHaveLength(1);
      state.isPaused = true;
      send(3, 7, 4000, 2);
      await vi.waitFor(() =>
        expect(stats.read()).toMatchObject({ atMs: 3000, memoryBytes: 3000, isPaused: true }),
      );
      expect(asked.filter((what) => what === 'top')).toHaveLength(1);
      state.processes = 3;
      send(4, 9);
      await vi.waitFor(() => expect(stats.read()).toMatchObject({ processCount: 3 }));
    });

    it('come again after the engine was away, and are none meanwhile', async () => {
      const { send, socketPath, streams } = await startEngine();
      const clock = createFakeClock();
      const stats = apiFigures({ socketPath }, 'box', clock);
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
      const { asked, socketPath, state } = await startEngine();
      state.isKnown = false;
      const clock = createFakeClock();
      const stats = apiFigures({ socketPath }, 'box', clock);
      await vi.waitFor(() => expect(asked).toHaveLength(1));
      // The refusal has come before the time for it can pass.
      await vi.waitFor(() => expect(clock.pending).toBe(0));
      await clock.advance(60_000);
      expect(asked).toHaveLength(1);
      stats.dispose();
    });
  },
);
