import { appendFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { beforeEach, describe, expect, it } from 'vitest';
import { StoreHost } from '../../../electron/core/store/file/store-host.ts';
import type { WorkerLike } from '../../../electron/core/worker-like.ts';
import { eventually } from '../support/eventually.ts';
import { ALL_EVENTS, countsOf, createHome, untilEvents } from './create-home.ts';
import { batch, eventAt, HOUR_MS, MINUTE_MS, openHistory, START } from './history-fixture.ts';

const WORKER = new URL('../../../electron/core/store/store-worker.ts', import.meta.url);
let home: ReturnType<typeof createHome>;

beforeEach(() => {
  home = createHome();
});

describe('the history store', () => {
  it('keeps what it is handed over a new start, in a thread of its own', { timeout: 60_000 }, async () => {
    const { clock, open, sample, path, problems } = home;
    const worker = (): WorkerLike => new Worker(WORKER);
    const first = open({ worker });
    first.record.tick(START, [{ server: 'one', sample: sample(5) }]);
    first.record.event(eventAt(START, 1));
    first.record.callEnded({ at: START, server: 'one', outcome: 'error', durationMs: 12 });
    first.record.callEnded({ at: START, server: 'one', client: 'a', outcome: 'error', durationMs: 12 });
    first.record.limits({ server: 'one', from: START, maxMemoryMiB: 1, maxCpuPercent: 2, maxOpenFiles: 3 });
    await first.dispose();
    await clock.advance(10 * MINUTE_MS);

    const second = open({ worker });
    const query = { from: START, to: START + HOUR_MS, servers: ['one'], maxBuckets: 60 };
    const series = await second.series({ ...query, metrics: ['memoryBytes'] });
    expect(series.series[0]!.max).toEqual([5 * 1024 ** 2]);
    expect(series.limits).toEqual([
      { server: 'one', from: START, maxMemoryMiB: 1, maxCpuPercent: 2, maxOpenFiles: 3 },
    ]);
    expect(series.absences).toEqual([{ from: START, to: START + 10 * MINUTE_MS }]);
    const calls = await second.calls({ from: START, to: START + HOUR_MS, maxBuckets: 60 });
    expect(calls.buckets).toEqual([{ index: 0, calls: 1, errors: 1, averageMs: 12, maxMs: 12 }]);
    expect(countsOf((await second.events(ALL_EVENTS)).events)).toEqual([1]);
    expect(await second.state()).toMatchObject({ keptIn: 'file', path, oldestAt: START });
    expect(problems).toEqual([]);
  });

  it('goes back no farther than to its first moment, though figures are rolled up by the quarter of an hour', async () => {
    const { clock, open, sample } = home;
    await clock.advance(7 * MINUTE_MS);
    const store = open();
    store.record.tick(clock.epochMs(), [{ server: 'one', sample: sample(1) }]);
    await clock.advance(3000);
    expect(await store.state()).toMatchObject({ oldestAt: START + 7 * MINUTE_MS });
  });

  it('sends one message a second, however much happens, and none for a minute where nothing does', async () => {
    const { clock, open, sample, workers } = home;
    const store = open();
    await store.flush();
    const sent = () => workers[0]!.received.filter(({ kind }) => kind === 'write').length;
    for (let second = 0; second < 5; second += 1) {
      for (let call = 0; call < 50; call += 1)
        store.record.callEnded({ at: clock.epochMs(), server: 'one', outcome: 'result', durationMs: 1 });
      store.record.event(eventAt(clock.epochMs(), second));
      store.record.tick(clock.epochMs(), [{ server: 'one', sample: sample(1) }]);
      await clock.advance(1000);
      await store.flush();
    }
    expect(sent()).toBe(5);
    await clock.advance(59_000);
    expect(sent()).toBe(5);
    await clock.advance(2000);
    expect(sent()).toBe(6);
  });

  it('takes an event that cannot be copied from the journal, and loses nothing else', async () => {
    const { open, sample, memory, writeJournal } = home;
    const store = open();
    await store.flush();
    writeJournal([eventAt(START, 1)]);
    store.record.event(eventAt(START, 1, { detail: { text: () => 'a function' } }));
    store.record.tick(START, [{ server: 'one', sample: sample(3) }]);
    await store.flush();
    expect(await memory(store)).toEqual([3]);
    await untilEvents(store, [1]);
  });

  it('is closed once, and answers from memory then', async () => {
    const { open } = home;
    const store = open();
    await Promise.all([store.dispose(), store.dispose()]);
    expect(countsOf((await store.events(ALL_EVENTS)).events)).toEqual([99]);
    expect(home.clock.pending).toBe(0);
  });

  it('is closed within four seconds where the worker does nothing any more', async () => {
    const { clock, open, workers } = home;
    const store = open();
    await store.flush();
    workers[0]!.isHeld = true;
    store.record.event(eventAt(START, 1));
    const closing = store.dispose();
    await clock.advance(4000);
    await closing;
    expect(clock.pending).toBe(0);
  });
});

describe('the events of the history', () => {
  it('are the newest of those that were asked for, in pages, the oldest first', async () => {
    const { open } = home;
    const store = open();
    for (let count = 0; count < 10; count += 1)
      store.record.event(
        eventAt(START + count, count, {
          server: count === 3 ? null : count % 2 === 0 ? 'even' : 'odd',
          kind: count < 8 ? 'crashed' : 'stopped',
        }),
      );
    await store.flush();
    const page = await store.events({ ...ALL_EVENTS, limit: 4 });
    expect([countsOf(page.events), page.hasMore]).toEqual([[6, 7, 8, 9], true]);
    const older = await store.events({ ...ALL_EVENTS, limit: 6, before: page.events[0]!.id });
    expect([countsOf(older.events), older.hasMore]).toEqual([[0, 1, 2, 3, 4, 5], false]);
    const found = async (parts: object) => countsOf((await store.events({ ...ALL_EVENTS, ...parts })).events);
    expect(await found({ server: 'odd' })).toEqual([1, 5, 7, 9]);
    expect(await found({ server: null })).toEqual([3]);
    expect(await found({ kinds: ['stopped'], server: 'even' })).toEqual([8]);
    expect(await found({ kinds: [] })).toEqual([]);
    expect(await found({ from: START + 2, to: START + 4 })).toEqual([2, 3]);
  });

  it('keep the order of their ids where the clock was set back', async () => {
    const { open } = home;
    const store = open();
    const id = (count: number) => eventAt(START, count).id;
    store.record.event(eventAt(START, 1));
    store.record.event(eventAt(START - HOUR_MS, 2, { id: id(2) }));
    store.record.event(eventAt(START - HOUR_MS + 1, 3, { id: id(3) }));
    await store.flush();
    expect(countsOf((await store.events(ALL_EVENTS)).events)).toEqual([1, 2, 3]);
  });
});

describe('events of the journal', () => {
  const events = Array.from({ length: 700 }, (_, count) => eventAt(START - 700_000 + count * 1000, count));
  const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

  it('are all taken over the first time, those of older parts too', async () => {
    home.writeJournal(events.slice(0, 300), `${home.eventsPath}.1`);
    home.writeJournal(events.slice(300));
    await untilEvents(home.open(), numbers(0, 700));
  });

  it('that a kill has cost the file are taken over at the next start, whatever that start has written already', async () => {
    const { path, eventsPath } = home;
    const first = openHistory(path);
    first.addEvents(events.slice(0, 8));
    first.db.exec("INSERT INTO meta VALUES ('journal-is-open', 0)");
    first.close();
    home.writeJournal(events.slice(0, 11));
    const host = new StoreHost(() => undefined);
    host.handle({ kind: 'open', path, eventsPath, maxBytes: 1e9, now: START });
    // The newest event is in the file before the first line of the journal was read.
    host.handle({ kind: 'write', batch: batch(START, { events: [events[10]!] }) });
    const reader = openHistory(path);
    const stored = () => reader.db.prepare('SELECT count(*) AS count FROM events').get() as { count: number };
    await eventually(() => stored().count === 11);
    reader.abandon();
    host.handle({ kind: 'close' });
  });

  it('are read to the beginning where an earlier attempt was broken off', async () => {
    const history = openHistory(home.path);
    history.addEvents(events.slice(500));
    history.db.exec("INSERT INTO meta VALUES ('journal-is-open', 1)");
    history.close();
    home.writeJournal(events);
    await untilEvents(home.open(), numbers(0, 700));
  });

  it('are taken over without the lines between them that are none', async () => {
    home.writeJournal([eventAt(START - 1000, 1)]);
    appendFileSync(home.eventsPath, 'no event\n{"lost":3}\n');
    appendFileSync(home.eventsPath, `${JSON.stringify(eventAt(START - 500, 2))}\n{"id":"cut o`);
    await untilEvents(home.open(), [1, 2]);
  });
});
