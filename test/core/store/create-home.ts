import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { PanelEvent } from '../../../shared/domain.ts';
import { MemorySource } from '../../../electron/core/store/memory-source.ts';
import { RecordedHistory, type HistoryStoreOptions } from '../../../electron/core/store/recorded-history.ts';
import { createFakeClock } from '../fake-clock.ts';
import { eventually } from '../support/eventually.ts';
import { DAY_MS, eventAt, HOUR_MS, START } from './history-fixture.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { InProcessWorker } from './in-process-worker.ts';

export const ALL_EVENTS = { from: 0, to: START + DAY_MS, limit: 1000 };
const MIB = 1024 ** 2;

/** A home with a history, and whoever opens it. Everything is closed with the test. */
export function createHome() {
  const folder = tempFolder();
  const path = join(folder, 'history.db');
  const eventsPath = join(folder, 'logs', 'events.jsonl');
  const clock = createFakeClock(START);
  const problems: string[] = [];
  const workers: InProcessWorker[] = [];
  /** What this launch remembers without a file. */
  const remembered = eventAt(START, 99, { kind: 'panel-started' });
  const fallback = new MemorySource({
    samples: () => [],
    callMinutes: () => [],
    clientCallMinutes: () => [],
    servers: () => [],
    events: () => [remembered],
  });
  const startWorker = () => {
    const worker = new InProcessWorker();
    workers.push(worker);
    return worker;
  };
  return {
    folder,
    path,
    eventsPath,
    clock,
    problems,
    /** Those that were started in this thread. */
    workers,
    open: (options: Partial<HistoryStoreOptions> = {}): RecordedHistory => {
      const store = new RecordedHistory({
        path,
        eventsPath,
        worker: startWorker,
        fallback,
        clock,
        wallClock: clock,
        onProblem: (message) => void problems.push(message),
        ...options,
      });
      onTestFinished(() => store.dispose());
      return store;
    },
    /** What an earlier launch has written, the oldest first. */
    writeJournal: (events: readonly PanelEvent[], part = eventsPath): void => {
      mkdirSync(dirname(part), { recursive: true });
      writeFileSync(part, events.map((event) => `${JSON.stringify(event)}\n`).join(''));
    },
    sample: (mebibytes: number) => ({
      at: clock.epochMs(),
      memoryBytes: mebibytes * MIB,
      processCount: 1,
    }),
    /** The most memory of server `one` in each bucket of the last hour, in MiB. */
    memory: async (store: RecordedHistory): Promise<readonly number[]> => {
      const { series } = await store.series({
        from: clock.epochMs() - HOUR_MS,
        to: clock.epochMs() + 1000,
        servers: ['one'],
        metrics: ['memoryBytes'],
        maxBuckets: 2000,
      });
      return series[0]!.max.map((bytes) => bytes / MIB);
    },
  };
}

export const countsOf = (events: readonly PanelEvent[]) =>
  events.map(({ detail }) => ('count' in detail ? detail.count : undefined));

/** Turns the loop until the history has these events, because the journal is read beside everything else. */
export async function untilEvents(store: RecordedHistory, wanted: readonly number[]): Promise<void> {
  let found: unknown[] = [];
  let isAsking = false;
  const ask = async () => {
    isAsking = true;
    found = countsOf((await store.events(ALL_EVENTS)).events);
    isAsking = false;
  };
  await eventually(
    () => JSON.stringify(found) === JSON.stringify(wanted),
    () => void (isAsking || ask()),
  );
}
