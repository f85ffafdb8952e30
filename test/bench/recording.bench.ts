/**
 * What recording costs: a million calls, and an hour of looks at 100 servers as fast as the file takes them, through the
 * recorder, the store and its thread. Times are CPU times, told as a part of one core at one look per second, so that other work on the
 * machine does not count. Prints a table, and one line of JSON last; exit code 1 when a budget is missed.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { HistoryRecorder } from '../../electron/core/store/history-recorder.ts';
import { MemorySource } from '../../electron/core/store/memory-source.ts';
import { openHistoryStore } from '../../electron/core/store/open-history-store.ts';
import { BYTES_PER_MIB } from '../../shared/units.ts';
import { report } from './supervision/figures.ts';

const SERVERS = Array.from({ length: 100 }, (_, index) => `server-${index}`);
const LOOKS = 3600;
const CALLS = 1_000_000;
const START = Date.UTC(2026, 0, 1);
const US_PER_MS = 1000;
const NS_PER_MS = 1_000_000;

let epochMs = START;
// Batches are sent by hand, look by look.
const clock = { now: () => epochMs, setTimeout: () => ({ dispose: () => undefined }) };
const wallClock = { epochMs: () => epochMs };
const folder = mkdtempSync(join(tmpdir(), 'recording-bench-'));
const path = join(folder, 'history.db');
const problems: string[] = [];
const store = openHistoryStore({
  path,
  eventsPath: join(folder, 'events.jsonl'),
  worker: () => new Worker(new URL('../../electron/core/store/store-worker.ts', import.meta.url)),
  fallback: new MemorySource({
    samples: () => [],
    callMinutes: () => [],
    servers: () => [],
    events: () => [],
  }),
  clock,
  wallClock,
  onProblem: (problem) => problems.push(problem),
});
const recorder = new HistoryRecorder({ clock, wallClock, sink: store });
await store.flush();

const cpuMs = ({ user, system }: NodeJS.CpuUsage) => (user + system) / US_PER_MS;
const timed = (task: () => void): number => {
  const before = process.hrtime.bigint();
  task();
  return Number(process.hrtime.bigint() - before) / NS_PER_MS;
};

const ownMs = () => cpuMs(process.threadCpuUsage());
const beforeCalls = ownMs();
for (let call = 0; call < CALLS; call += 1)
  recorder.callEnded(SERVERS[call % SERVERS.length]!, { outcome: 'result', durationMs: call % 50 });
const callsMs = ownMs() - beforeCalls;
await store.flush();

const ownBefore = ownMs();
const allBefore = cpuMs(process.cpuUsage());
const lookMs: number[] = [];
for (let look = 0; look < LOOKS; look += 1) {
  epochMs += 1000;
  let sent = Promise.resolve();
  lookMs.push(
    timed(() => {
      for (const [index, server] of SERVERS.entries())
        recorder.sampled(server, {
          at: epochMs,
          memoryBytes: (50 + ((index + look) % 30)) * BYTES_PER_MIB,
          cpuPercent: (look * (index + 1)) % 100,
          openFiles: 20 + (look % 7),
          processCount: 3,
        });
      recorder.lookDone();
      sent = store.flush();
    }),
  );
  await sent;
}
const looksMs = ownMs() - ownBefore;
const threadMs = cpuMs(process.cpuUsage()) - allBefore - looksMs;
await store.dispose();
const sizeBytes = statSync(path).size;
rmSync(folder, { recursive: true });

lookMs.sort((one, other) => one - other);
const percentOfCore = (ms: number) => ms / LOOKS / 10;
report(
  'recording',
  [
    {
      what: 'main loop, 100 servers',
      unit: '% of a core',
      budget: 0.5,
      measured: percentOfCore(looksMs),
    },
    { what: 'thread of the history', unit: '% of a core', budget: 2, measured: percentOfCore(threadMs) },
    { what: 'one look in one turn, p99', unit: 'ms', budget: 5, measured: lookMs[Math.floor(LOOKS * 0.99)]! },
    {
      what: 'a call that ends',
      unit: 'µs',
      budget: 10,
      measured: (callsMs / CALLS) * US_PER_MS,
    },
    { what: 'file after an hour', unit: 'MiB', measured: sizeBytes / BYTES_PER_MIB },
  ],
  problems,
);
