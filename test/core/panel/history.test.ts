import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createDeferred } from '../../../electron/core/deferred.ts';
import { createPanel, type ControlPanel } from '../../../electron/core/panel/control-panel.ts';
import type { ControlPanelOptions } from '../../../electron/core/panel/panel-options.ts';
import type { WorkerLike } from '../../../electron/core/worker-like.ts';
import type { Span } from '../../../shared/history.ts';
import { tinyServer } from '../../fixtures/fixture-server.ts';
import { panelOptions } from './open-test-panel.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { DAY_MS } from '../../../shared/units.ts';
const STORE_WORKER = new URL('../../../electron/core/store/store-worker.ts', import.meta.url);
const WAIT = { timeout: 15_000 };
const startStoreWorker = () => new Worker(STORE_WORKER);

const one = { ...tinyServer('one'), panel: { autoStart: false } };

let home = '';
beforeEach(() => {
  home = tempFolder('panel-history-');
  writeFileSync(join(home, 'servers.json'), JSON.stringify({ mcpServers: { one } }));
  writeFileSync(join(home, 'settings.json'), JSON.stringify({ gateway: { enabled: false } }));
});

/** The panel on the home as it is on a day; `agoMs` is how far in the past that lies. */
async function panelOf(agoMs: number, changes: Partial<ControlPanelOptions> = {}): Promise<ControlPanel> {
  const wallClock = { epochMs: () => Date.now() - agoMs };
  const panel = await createPanel({
    ...panelOptions(home),
    randomBytes,
    wallClock,
    startStoreWorker,
    ...changes,
  });
  onTestFinished(() => panel.dispose());
  panel.start();
  return panel;
}

/** Runs the panel of a day until what it saw of its server is in the file. */
async function live(agoMs: number): Promise<void> {
  const panel = await panelOf(agoMs);
  await panel.servers.start('one');
  expect(await panel.history.state()).toMatchObject({ keptIn: 'file' });
  const now = Date.now() - agoMs;
  await expect.poll(() => bucketsOf(panel, { from: now - 60_000, to: now + 600_000 }), WAIT).not.toEqual([]);
  await panel.dispose();
}

/** The times for which the history has a figure of the server. */
async function bucketsOf(panel: ControlPanel, span: Span): Promise<readonly number[]> {
  const query = { ...span, servers: ['one'], metrics: ['memoryBytes' as const], maxBuckets: 2000 };
  const { series, from, stepMs } = await panel.history.series(query);
  return (series[0]?.index ?? []).map((index) => from + index * stepMs);
}

const daysAgo = (at: number) => Math.round((Date.now() - at) / DAY_MS);

// Threads and processes are started several times over, which takes its time on a machine with other work.
describe('the history of a panel', { timeout: 60_000 }, () => {
  it('has the curves, the events and the limits of yesterday and of last month, and knows when no panel was running', async () => {
    await live(30 * DAY_MS);
    await live(DAY_MS);
    const panel = await panelOf(0);
    const span = { from: Date.now() - 60 * DAY_MS, to: Date.now() + 1000 };

    const reply = await panel.history.series({
      ...span,
      servers: ['one'],
      metrics: ['memoryBytes'],
      maxBuckets: 2000,
    });
    const [memory] = reply.series;
    const days = (memory?.index ?? []).map((index) => daysAgo(reply.from + index * reply.stepMs));
    expect([...new Set(days)]).toEqual([30, 1]);
    expect(Math.min(...(memory?.min ?? []))).toBeGreaterThan(0);
    expect(reply.absences.map(({ from, to }) => [daysAgo(from), daysAgo(to)])).toEqual(
      expect.arrayContaining([
        [30, 1],
        [1, 0],
      ]),
    );
    expect(reply.limits).toMatchObject([{ server: 'one', maxMemoryMiB: 1024, maxCpuPercent: 80 }]);

    const { events } = await panel.history.events({ ...span, server: 'one', kinds: ['started'], limit: 10 });
    expect(events.map(({ at }) => daysAgo(at))).toEqual([30, 1]);
    expect(await panel.history.state()).toMatchObject({ keptIn: 'file', path: join(home, 'history.db') });
  });

  it('has the curve from before a restart in the hour that the window shows, with the gap', async () => {
    await live(600_000);
    const panel = await panelOf(0);
    await panel.servers.start('one');
    await expect.poll(() => panel.getSnapshot().servers[0]?.sample, WAIT).toBeDefined();
    const ages = async () => {
      const samples = await panel.output.history('one', 0);
      return samples.map(({ at }) => Math.round((Date.now() - at) / 60_000));
    };
    // Where the file takes its time to open, the first answer is given without it.
    await expect.poll(ages, WAIT).toContain(10);
    expect(await ages()).toContain(0);
    expect(await ages()).toEqual((await ages()).sort((one, other) => other - one));
  });

  it('opens its file after the window, and has what was recorded before', async () => {
    const window = createDeferred<void>();
    let starts = 0;
    const panel = await panelOf(0, {
      startsAfter: window.promise,
      startStoreWorker: () => {
        starts += 1;
        return startStoreWorker();
      },
    });
    const span = { from: Date.now() - 60_000, to: Date.now() + 60_000 };
    const asked = panel.history.events({ ...span, kinds: ['panel-started'], limit: 10 });
    await new Promise((resolve) => setImmediate(resolve));
    expect(starts).toBe(0);
    window.resolve();
    expect((await asked).events).toHaveLength(1);
    expect([starts, await panel.history.state()]).toMatchObject([1, { keptIn: 'file' }]);
  });

  it('sets a file aside that is none of its own, and says where it is', async () => {
    const path = join(home, 'history.db');
    const notes = 'These are notes of somebody else. '.repeat(99);
    writeFileSync(path, notes);
    const panel = await panelOf(0);
    const notices: string[] = [];
    panel.onNotice((line) => notices.push(line));
    const { keptIn, problem } = await panel.history.state();
    expect([keptIn, problem]).toEqual(['file', expect.stringContaining(`${path}.damaged-`)]);
    expect(notices).toContain(problem);
    const aside = readdirSync(home).find((name) => name.startsWith('history.db.damaged-'));
    expect(readFileSync(join(home, aside!), 'utf8')).toBe(notes);
  });

  it('holds up neither the snapshot nor the end of the panel where its thread never answers', async () => {
    const deaf: WorkerLike = {
      postMessage: () => undefined,
      on: () => undefined,
      terminate: () => Promise.resolve(),
    };
    const panel = await panelOf(0, { startStoreWorker: () => deaf });
    expect(panel.getSnapshot().servers.map(({ name }) => name)).toEqual(['one']);
    await panel.servers.start('one');
    await panel.dispose();
    expect(readFileSync(join(home, 'logs', 'events.jsonl'), 'utf8')).toContain('panel-quit');
  });
});
