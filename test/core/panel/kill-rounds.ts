import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { DatabaseSync } from '@photostructure/sqlite';
import { createDeferred } from '../../../electron/core/deferred.ts';
import { systemClock } from '../../../electron/core/platform/system-clock.ts';
import { MemorySource } from '../../../electron/core/store/memory-source.ts';
import { RecordedHistory } from '../../../electron/core/store/recorded-history.ts';
import { MAX_PAST_EVENTS, MAX_SERIES_BUCKETS } from '../../../shared/history.ts';
import { tinyServer } from '../../fixtures/fixture-server.ts';
import type { Recorded } from '../../fixtures/history-host.ts';
import { SECOND_MS } from '../../../shared/units.ts';
/** Short enough for an answer by the second. */
const LOOKED_AT_MS = 1_200_000;
const SERVERS = ['busy', ...[1, 2, 3, 4].map((number) => `steady-${number}`)];
const STORE_WORKER = new URL('../../../electron/core/store/store-worker.ts', import.meta.url);
const HOST = join(import.meta.dirname, '../../fixtures/history-host.ts');

export interface KillRound {
  /** What SQLite says of the file that the killed process left: `ok`. */
  readonly integrity: string;
  /** Everything that the process had recorded, in the order of recording. */
  readonly recorded: readonly Recorded[];
  /** Time of day of the kill. */
  readonly killedAt: number;
}

/** Home with one server that is restarted all the time and some that run. The caller removes it. */
export function makeKillHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'history-kill-'));
  const mcpServers = Object.fromEntries(SERVERS.map((name) => [name, tinyServer(name)]));
  writeFileSync(join(home, 'servers.json'), JSON.stringify({ mcpServers }));
  writeFileSync(join(home, 'settings.json'), JSON.stringify({ gateway: { enabled: false } }));
  return home;
}

/** A panel that records on a home, and tells of everything once it is recorded. */
interface Recorder {
  kill(): void;
  readonly exited: Promise<unknown>;
}

export type StartRecorder = (
  home: string,
  onRecorded: (what: Recorded) => void,
) => Recorder | Promise<Recorder>;

/** Starts the core without a window, in a process of its own. */
const startCore: StartRecorder = (home, onRecorded) => {
  const child = spawn(process.execPath, [HOST, home], { stdio: ['ignore', 'pipe', 'inherit'] });
  createInterface({ input: child.stdout }).on('line', (line) => onRecorded(JSON.parse(line) as Recorded));
  return { kill: () => void child.kill('SIGKILL'), exited: once(child, 'close') };
};

/**
 * Lets a panel work on the home until it has recorded samples, and kills it without a warning.
 * @param delayMs from the first sample to the kill
 */
export async function killOnce(home: string, delayMs: number, start = startCore): Promise<KillRound> {
  const recorded: Recorded[] = [];
  const sampled = createDeferred<void>();
  const recorder = await start(home, (what) => {
    recorded.push(what);
    if (what.kind === 'sample') sampled.resolve();
  });
  const endedEarly = recorder.exited.then(() => {
    throw new Error('the panel ended by itself');
  });
  await Promise.race([sampled.promise.then(() => sleep(delayMs)), endedEarly]);
  const killedAt = Date.now();
  recorder.kill();
  await recorder.exited;
  return { integrity: await withCopy(home, integrityOf), recorded, killedAt };
}

export interface KillLoss {
  /** How long before the kill the oldest of what is lost was seen; 0 where nothing is. */
  readonly lostMs: number;
  /** What is lost although something later is there: there must be none. */
  readonly holes: readonly Recorded[];
}

/** What the file lacks of all that the killed process had recorded. The journal is not asked. */
export async function lossOf(home: string, { recorded, killedAt }: KillRound): Promise<KillLoss> {
  const kept = await withCopy(home, keptIn);
  const isKept = (what: Recorded) => kept.has(keyOf(what));
  const lost = recorded.filter((what) => !isKept(what));
  const lastKept = Math.max(...recorded.filter(isKept).map(({ at }) => at));
  return {
    lostMs: Math.max(0, ...lost.map(({ at }) => killedAt - at)),
    // What is seen in one second may be of two batches.
    holes: lost.filter(({ at }) => at < lastKept - SECOND_MS),
  };
}

/** Samples are kept by the second. */
const keyOf = (what: Recorded): string =>
  what.kind === 'event' ? what.id : `${what.server} ${Math.floor(what.at / SECOND_MS)}`;

function integrityOf(copy: string): string {
  const database = new DatabaseSync(join(copy, 'history.db'));
  const [row] = database.prepare('PRAGMA integrity_check').all() as { integrity_check: string }[];
  database.close();
  return row?.integrity_check ?? 'no answer';
}

/** Keys of all that the store answers of the last minutes. */
async function keptIn(copy: string): Promise<ReadonlySet<string>> {
  const store = new RecordedHistory({
    path: join(copy, 'history.db'),
    eventsPath: join(copy, 'no-events.jsonl'),
    worker: () => new Worker(STORE_WORKER),
    fallback: new MemorySource({
      samples: () => [],
      callMinutes: () => [],
      clientCallMinutes: () => [],
      servers: () => [],
      events: () => [],
    }),
    clock: systemClock,
    wallClock: systemClock,
    onProblem: (problem) => {
      throw new Error(problem);
    },
  });
  try {
    const to = Date.now() + SECOND_MS;
    const span = { from: to - LOOKED_AT_MS, to };
    const keys = new Set<string>();
    let page = await store.events({ ...span, limit: MAX_PAST_EVENTS });
    for (;;) {
      for (const { id } of page.events) keys.add(id);
      const before = page.events[0]?.id;
      if (!page.hasMore || before === undefined) break;
      page = await store.events({ ...span, limit: MAX_PAST_EVENTS, before });
    }
    const reply = await store.series({
      ...span,
      servers: SERVERS,
      metrics: ['processCount'],
      maxBuckets: MAX_SERIES_BUCKETS,
    });
    for (const { server, index } of reply.series)
      for (const bucket of index) keys.add(`${server} ${reply.from / SECOND_MS + bucket}`);
    return keys;
  } finally {
    await store.dispose();
  }
}

/** Runs `look` on a copy of the files, because the next start is to find what the killed process left. */
async function withCopy<T>(home: string, look: (copy: string) => T | Promise<T>): Promise<T> {
  const copy = mkdtempSync(join(tmpdir(), 'history-copy-'));
  try {
    for (const name of readdirSync(home).filter((file) => file.startsWith('history.db')))
      cpSync(join(home, name), join(copy, name));
    return await look(copy);
  } finally {
    rmSync(copy, { recursive: true });
  }
}
