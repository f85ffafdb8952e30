import { DatabaseSync } from '@photostructure/sqlite';
import { mkdirSync, readdirSync, readFileSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { HistoryFile } from '../../../electron/core/store/file/history-file.ts';
import { openFile, openStoreForReading, type Database } from '../../../electron/core/store/file/open-file.ts';
import { readSeries } from '../../../electron/core/store/file/read-series.ts';
import { ALL_EVENTS, countsOf, createHome } from './create-home.ts';
import { batch, eventAt, HOUR_MS, killed, look, MINUTE_MS, openHistory, START } from './history-fixture.ts';

let home: ReturnType<typeof createHome>;

beforeEach(() => {
  home = createHome();
});

/** What an earlier launch has written, an hour ago. */
function writePast(isKilled = false): string {
  const history = openHistory(home.path, START - HOUR_MS);
  const at = START - HOUR_MS;
  const looks = [look(at, { one: { memoryBytes: 1024 ** 2 } })];
  history.write(batch(at, { events: [eventAt(at, 1)], looks }));
  if (isKilled) return killed(history, home.path);
  history.close();
  return home.path;
}

const absences = (history: HistoryFile, now: number) => {
  const query = { from: START - HOUR_MS, to: now, servers: [], maxBuckets: 10 };
  return readSeries(history, { ...query, metrics: ['rttMs'] }, now).absences;
};

describe('a history that cannot be written when it is opened', () => {
  it('is read where the disk is full, and knows when the panel ran once there is room', () => {
    writePast();
    fillRuns();
    let db: Database | undefined;
    const { value: history } = openFile(home.path, START, (opened) => {
      db = opened;
      setRoom(opened, false);
      return new HistoryFile(opened, START);
    });
    const wasAway = [{ from: START - HOUR_MS, to: START }];
    expect(absences(history, START + MINUTE_MS)).toEqual(wasAway);
    expect(() => history.write(batch(START + MINUTE_MS))).toThrow(/full/);
    setRoom(db!, true);
    history.write(batch(START + 2 * MINUTE_MS));
    history.close();
    const again = openHistory(home.path, START + 3 * MINUTE_MS);
    expect(absences(again, START + 3 * MINUTE_MS)).toEqual([
      ...wasAway,
      { from: START + 2 * MINUTE_MS, to: START + 3 * MINUTE_MS },
    ]);
    again.close();
  });

  it('answers of the past from the file, says that nothing is kept, and takes what waited as soon as it can', async () => {
    const { clock, open, path, problems, sample, memory } = home;
    writePast();
    // What SQLite writes to beside the file cannot be made there.
    mkdirSync(`${path}-shm`);
    const store = open();
    store.record.event(eventAt(START, 2));
    store.record.tick(START, [{ server: 'one', sample: sample(7) }]);
    await store.flush();
    expect(await store.state()).toMatchObject({ keptIn: 'file', oldestAt: START - HOUR_MS });
    expect(countsOf((await store.events(ALL_EVENTS)).events)).toEqual([1]);
    expect(await memory(store)).toEqual([1]);
    for (let count = 0; count < 5; count += 1) {
      await clock.advance(6000);
      await store.flush();
    }
    expect(problems).toEqual([
      expect.stringMatching(/cannot be written to .*What was written before is kept/),
    ]);
    expect((await store.state()).problem).toBe(problems[0]);

    rmdirSync(`${path}-shm`);
    await clock.advance(6000);
    await store.flush();
    expect(countsOf((await store.events(ALL_EVENTS)).events)).toEqual([1, 2]);
    expect((await memory(store)).at(-1)).toBe(7);
    expect((await store.state()).problem).toBeUndefined();
    expect(problems).toHaveLength(1);
  });

  it('is not touched by being read, whether the launch before it ended or was killed', () => {
    for (const isKilled of [false, true]) {
      home = createHome();
      const path = writePast(isKilled);
      const before = readFileSync(path);
      const history = openStoreForReading(path, (db) => new HistoryFile(db, START));
      const query = { from: START - HOUR_MS, to: START, servers: ['one'], maxBuckets: 10 };
      const { series } = readSeries(history, { ...query, metrics: ['memoryBytes'] }, START);
      expect(series[0]!.max).toEqual([1024 ** 2]);
      expect(() => history.write(batch(START))).toThrow(/readonly/);
      history.abandon();
      expect(readFileSync(path).equals(before)).toBe(true);
    }
  });

  it('is left to memory where it is no history of this version either', () => {
    const load = (db: Database) => new HistoryFile(db, START);
    expect(() => openStoreForReading(home.path, load)).toThrow();
    new DatabaseSync(join(home.folder, 'empty.db')).close();
    expect(() => openStoreForReading(join(home.folder, 'empty.db'), load)).toThrow();
    expect(readdirSync(home.folder)).not.toContain('history.db');
  });
});

/** Writes runs of long ago until the next one needs a page more. */
function fillRuns(): void {
  const db = new DatabaseSync(home.path);
  setRoom(db, false);
  const insert = db.prepare('INSERT INTO runs (id, started_at, last_seen_at) VALUES (?, ?, ?)');
  const fill = () => {
    for (let id = -1; ; id -= 1) insert.run(id, START - 2 * HOUR_MS, START - 2 * HOUR_MS);
  };
  expect(fill).toThrow(/full/);
  db.close();
}

/** With no room the file cannot grow. */
const setRoom = (db: Database, hasRoom: boolean) =>
  db.exec(`PRAGMA max_page_count = ${hasRoom ? 1_000_000 : 1}`);
