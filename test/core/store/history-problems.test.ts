import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { HistoryFile } from '../../../electron/core/store/file/history-file.ts';
import type { Database } from '../../../electron/core/store/file/open-file.ts';
import { eventually } from '../support/eventually.ts';
import { ALL_EVENTS, countsOf, createHome, untilEvents } from './create-home.ts';
import { eventAt, openHistory, START } from './history-fixture.ts';
import { InProcessWorker } from './in-process-worker.ts';

let home: ReturnType<typeof createHome>;

beforeEach(() => {
  home = createHome();
});

/** A worker, and the database that it has open. */
function workerOnFile() {
  let db: Database | undefined;
  const worker = new InProcessWorker((opened, now) => {
    db = opened;
    return new HistoryFile(opened, now);
  });
  return { worker, exec: (sql: string) => db!.exec(sql) };
}

describe('a disk that is full', () => {
  /** A worker whose file takes no more pages than it has as long as `isFull`. */
  function onSmallDisk() {
    const { worker, exec } = workerOnFile();
    const setFull = (isFull: boolean) => exec(`PRAGMA max_page_count = ${isFull ? 1 : 1_000_000}`);
    return { worker, setFull };
  }

  it('costs nothing that was written, is told once, and what waited is there when there is room again', async () => {
    const { clock, open, sample, memory, problems } = home;
    const { worker, setFull } = onSmallDisk();
    const store = open({ worker: () => worker });
    store.record.event(eventAt(START, 1));
    await store.flush();
    setFull(true);
    const text = 'x'.repeat(20_000);
    for (let count = 2; count < 30; count += 1) {
      store.record.tick(clock.epochMs(), [{ server: 'one', sample: sample(count) }]);
      store.record.event(eventAt(clock.epochMs(), count, { detail: { count, text } }));
      await clock.advance(1000);
      await store.flush();
    }
    expect(problems).toEqual([expect.stringContaining('the disk is full')]);
    expect((await store.state()).problem).toContain('the disk is full');
    expect(countsOf((await store.events(ALL_EVENTS)).events)).toContain(1);

    setFull(false);
    await clock.advance(6000);
    await store.flush();
    await clock.advance(2000);
    await store.flush();
    expect(countsOf((await store.events(ALL_EVENTS)).events)).toHaveLength(29);
    expect((await memory(store)).at(-1)).toBe(29);
    expect(await store.state()).toMatchObject({ keptIn: 'file' });
    expect((await store.state()).problem).toBeUndefined();
    expect(problems).toHaveLength(1);
  });

  it('costs the oldest looks where it stays so for long, and they are counted', async () => {
    const { clock, open, sample, problems } = home;
    const { worker, setFull } = onSmallDisk();
    const store = open({ worker: () => worker });
    await store.flush();
    setFull(true);
    store.record.event(eventAt(START, 1, { detail: { text: 'x'.repeat(50_000) } }));
    await clock.advance(1000);
    await store.flush();
    for (let count = 0; count < 700; count += 1) {
      store.record.tick(clock.epochMs(), [{ server: 'one', sample: sample(count) }]);
      clock.tick(1000);
    }
    setFull(false);
    await clock.advance(6000);
    await store.flush();
    await clock.advance(2000);
    await store.flush();
    expect(problems.at(-1)).toContain('lacks 100 samples');
  });
});

class Damaged extends HistoryFile {
  override write(): void {
    throw Object.assign(new Error('database disk image is malformed'), { errcode: 11 });
  }
}

describe('a file that cannot be used', () => {
  it('that is in no folder leaves the history to memory, told once, until there is one', async () => {
    const { clock, open, folder, problems, sample, memory } = home;
    writeFileSync(join(folder, 'no-folder'), '');
    const store = open({ path: join(folder, 'no-folder', 'history.db') });
    await store.flush();
    store.record.tick(clock.epochMs(), [{ server: 'one', sample: sample(4) }]);
    expect(countsOf((await store.events(ALL_EVENTS)).events)).toEqual([99]);
    expect(await store.state()).toMatchObject({ keptIn: 'memory' });
    await clock.advance(60_000);
    await clock.advance(60_000);
    expect(problems).toEqual([expect.stringContaining('kept only in memory')]);

    rmSync(join(folder, 'no-folder'));
    await clock.advance(60_000);
    const state = await store.state();
    expect([state.keptIn, state.problem]).toEqual(['file', undefined]);
    expect(await memory(store)).toEqual([4]);
  });

  it('that is found damaged while it is used is set aside, and what comes is kept in a new one', async () => {
    const { clock, open, path, problems, sample, memory } = home;
    const { worker, exec } = workerOnFile();
    const store = open({ worker: () => worker });
    store.record.event(eventAt(START, 1, { detail: { text: 'x'.repeat(100_000) } }));
    await store.flush();
    exec('PRAGMA wal_checkpoint(TRUNCATE)');
    writeOver(path);
    // What the connection holds in memory would not be read again from the file.
    exec('PRAGMA shrink_memory');
    expect(countsOf((await store.events(ALL_EVENTS)).events)).toEqual([]);
    expect(problems).toEqual([expect.stringContaining(`${path}.damaged-`)]);
    store.record.tick(clock.epochMs(), [{ server: 'one', sample: sample(8) }]);
    expect(await memory(store)).toContain(8);
    expect(await store.state()).toMatchObject({ keptIn: 'file' });
  });

  it('that is found damaged by a write is set aside, and the batch is in the new one', async () => {
    const { clock, open, path, problems, sample, memory } = home;
    let count = 0;
    const worker = new InProcessWorker((db, now) =>
      (count += 1) === 1 ? new Damaged(db, now) : new HistoryFile(db, now),
    );
    const store = open({ worker: () => worker });
    store.record.tick(clock.epochMs(), [{ server: 'one', sample: sample(8) }]);
    await store.flush();
    expect(await memory(store)).toEqual([8]);
    expect(problems).toEqual([expect.stringContaining(`${path}.damaged-`)]);
  });

  it('that is damaged time and again is left alone after the third', async () => {
    const { clock, folder, open, problems, sample } = home;
    const worker = new InProcessWorker((db, now) => new Damaged(db, now));
    const store = open({ worker: () => worker });
    store.record.tick(clock.epochMs(), [{ server: 'one', sample: sample(8) }]);
    await store.flush();
    await clock.advance(6000);
    expect(readdirSync(folder).filter((name) => /damaged-\w+(-\d)?$/.test(name)).length).toBeLessThanOrEqual(
      3,
    );
    expect(problems.length).toBeGreaterThan(0);
  });

  it('that is large is checked whole by a worker of its own when the start is over, and set aside where it is damaged', async () => {
    const { clock, open, path, problems, workers } = home;
    const history = openHistory(path);
    const text = 'x'.repeat(2 ** 20);
    for (let count = 0; count < 17; count += 1)
      history.addEvents([eventAt(START, count, { detail: { text } })]);
    history.close();
    const sound = open();
    await sound.flush();
    await clock.advance(31_000);
    await eventually(() => workers.length === 2);
    await sound.dispose();
    expect(problems).toEqual([]);

    writeOver(path);
    const store = open();
    await store.flush();
    expect(problems).toEqual([]);
    await clock.advance(31_000);
    await eventually(() => problems.length > 0);
    expect(problems).toEqual([expect.stringContaining(`${path}.damaged-`)]);
    expect(await store.state()).toMatchObject({ keptIn: 'file' });
  });
});

/** Fills the end of the file with what is no page of a database. */
function writeOver(path: string): void {
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.fill(0xa5, bytes.length - 40_960));
}

describe('a worker that dies', () => {
  it('is started again once, and its events come from the journal', async () => {
    const { clock, open, problems, sample, memory, workers, writeJournal } = home;
    const store = open();
    store.record.event(eventAt(START, 1));
    await store.flush();
    workers[0]!.isHeld = true;
    store.record.event(eventAt(START, 2));
    await clock.advance(1000);
    writeJournal([eventAt(START, 1), eventAt(START, 2)]);
    const asked = store.events(ALL_EVENTS);
    workers[0]!.die('out of memory');
    expect(countsOf((await asked).events)).toEqual([99]);
    await untilEvents(store, [1, 2]);
    store.record.tick(clock.epochMs(), [{ server: 'one', sample: sample(2) }]);
    expect(await memory(store)).toEqual([2]);
    expect(workers).toHaveLength(2);
    expect(problems).toEqual([expect.stringContaining('out of memory')]);
  });

  it('leaves the history to memory where it dies again', async () => {
    const { clock, open, problems, workers } = home;
    const store = open();
    await store.flush();
    workers[0]!.die('first');
    await store.flush();
    workers[1]!.die('second');
    await store.flush();
    expect(await store.state()).toMatchObject({ keptIn: 'memory' });
    expect(problems.at(-1)).toContain('only in memory');
    store.record.event(eventAt(START, 1));
    await clock.advance(600_000);
    expect([workers.length, clock.pending]).toEqual([2, 0]);
  });
});

it('leaves out a second that can never be written, and keeps what comes after it', async () => {
  const { clock, open, problems, sample, memory } = home;
  const store = open();
  await store.flush();
  store.record.tick(NaN, [{ server: 'one', sample: sample(1) }]);
  await clock.advance(1000);
  await store.flush();
  store.record.tick(clock.epochMs(), [{ server: 'one', sample: sample(2) }]);
  expect(await memory(store)).toEqual([2]);
  expect(problems).toHaveLength(1);
});
