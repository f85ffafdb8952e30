/**
 * The history of 100 servers over 90 days: how long it takes to open, what charts of it cost, its size on disk, and what a
 * second of recording costs the main thread. Prints a table, and one line of JSON last. Exit code 1 when a budget is missed.
 * `STORE_SERVERS` changes the size.
 */
import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { historyMetrics, type SeriesQuery } from '../../shared/history.ts';
import { systemClock } from '../../electron/core/platform/system-clock.ts';
import { HistoryFile } from '../../electron/core/store/file/history-file.ts';
import { isSound, openFile } from '../../electron/core/store/file/open-file.ts';
import { MemorySource } from '../../electron/core/store/memory-source.ts';
import { RecordedHistory } from '../../electron/core/store/recorded-history.ts';
import { figure, median, report } from './harness/figures.ts';
import { cpuMsSince } from './harness/cpu.ts';
import { inFolder } from '../support/homes.ts';
import { fillHistory, lookAt, serverNames } from './store/fill-history.ts';

const SERVERS = serverNames(Number(process.env['STORE_SERVERS'] ?? 100));
/** Of the figures by their names, in milliseconds. */
const BUDGETS = new Map([
  ['openMs', 300],
  ['weekChartMs', 50],
  ['mainThreadMsPerSecond', 5],
]);
const ROUNDS = 7;
const SECONDS = 100;
const CALLS_A_SECOND = 200;
const DAY_MS = 86_400_000;

await inFolder(async (folder) => {
  const path = join(folder, 'history.db');
  const now = systemClock.epochMs();
  fillHistory(path, SERVERS, now);
  const sizeMiB = statSync(path).size / 1024 ** 2;
  const openMs = median(Array.from({ length: ROUNDS }, () => timeOf(() => open(path).abandon())));
  const checked = open(path);
  const checkMs = timeOf(() => void isSound(checked.db));
  checked.abandon();
  const measured = { sizeMiB, openMs, checkMs, ...(await measureStore(folder, path, now)) };
  const figures = Object.entries(measured).map(([name, value]) => {
    const what = `${SERVERS.length} servers, 90 days: ${name}`;
    return figure(what, name === 'sizeMiB' ? 'MiB' : 'ms', value, BUDGETS.get(name));
  });
  report('store', figures);
});

function open(path: string): HistoryFile {
  const now = systemClock.epochMs();
  return openFile(path, now, (db) => new HistoryFile(db, now)).value;
}

async function measureStore(folder: string, path: string, now: number) {
  const startMs = performance.now();
  const store = openStore(folder, path);
  await store.flush();
  const openWithThreadMs = performance.now() - startMs;
  const chart = async (days: number, parts: Partial<SeriesQuery> = {}) => {
    const query = { from: now - days * DAY_MS, to: now, maxBuckets: 300 };
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const before = performance.now();
      const servers = [SERVERS[round % SERVERS.length]!];
      await store.series({ ...query, servers, metrics: ['memoryBytes'], ...parts });
      times.push(performance.now() - before);
    }
    return median(times);
  };
  const charts = {
    hourChartMs: await chart(1 / 24),
    dayChartMs: await chart(1),
    weekChartMs: await chart(7, { metrics: [...historyMetrics], maxBuckets: 2000 }),
    quarterChartMs: await chart(90),
    weekOfAllMs: await chart(7, { servers: [...SERVERS], metrics: ['memoryBytes', 'cpuPercent'] }),
    quarterOfAllMs: await chart(90, { servers: [...SERVERS], metrics: ['memoryBytes', 'cpuPercent'] }),
  };
  const recording = await measureRecording(store);
  await store.dispose();
  return { openWithThreadMs, ...charts, ...recording };
}

/** What the panel does a second: one look at all servers, calls, and the message to the worker. */
async function measureRecording(store: ReturnType<typeof openStore>) {
  const times: number[] = [];
  const cpuBefore = process.cpuUsage();
  for (let second = 0; second < SECONDS; second += 1) {
    const at = systemClock.epochMs() + second * 1000;
    const { servers, values } = lookAt(at, SERVERS);
    const samples = servers.map((server, index) => ({
      server,
      sample: {
        at,
        memoryBytes: values[index * 5]!,
        cpuPercent: values[index * 5 + 1]!,
        openFiles: 33,
        processCount: 3,
      },
    }));
    const startMs = performance.now();
    store.record.tick(at, samples);
    for (let call = 0; call < CALLS_A_SECOND; call += 1)
      store.record.callEnded({
        at,
        server: SERVERS[call % 10]!,
        client: `client-${call % 3}`,
        outcome: 'result',
        durationMs: call,
      });
    const flushed = store.flush();
    // What is sent is sent in this turn or the next; the rest of the time the worker writes.
    await Promise.resolve();
    times.push(performance.now() - startMs);
    await flushed;
  }
  return {
    mainThreadMsPerSecond: median(times),
    mainThreadMaxMs: Math.max(...times),
    allThreadsCpuMsPerSecond: cpuMsSince(cpuBefore) / SECONDS,
  };
}

function openStore(folder: string, path: string) {
  const bundle = resolve(import.meta.dirname, '../../out/main/store-worker.cjs');
  const source = new URL('../../electron/core/store/store-worker.ts', import.meta.url);
  const nothing = {
    samples: () => [],
    callMinutes: () => [],
    clientCallMinutes: () => [],
    servers: () => [],
    events: () => [],
  };
  return new RecordedHistory({
    path,
    eventsPath: join(folder, 'events.jsonl'),
    worker: () => new Worker(existsSync(bundle) ? pathToFileURL(bundle) : source),
    fallback: new MemorySource(nothing),
    clock: systemClock,
    wallClock: systemClock,
    onProblem: (message) => console.error(message),
  });
}

function timeOf(task: () => void): number {
  const startMs = performance.now();
  task();
  return performance.now() - startMs;
}
