import { DatabaseSync } from '@photostructure/sqlite';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { HistoryFile } from '../../../electron/core/store/file/history-file.ts';
import { openFile, type Database } from '../../../electron/core/store/file/open-file.ts';
import {
  inTransaction,
  migrate,
  MIGRATIONS,
  pragmaNumber,
} from '../../../electron/core/store/file/schema.ts';
import { readPastEvents } from '../../../electron/core/store/file/read-past-events.ts';
import { batch, eventAt, killed, look, openHistory, START } from './history-fixture.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const ASIDE = 'history.db.damaged-20270115T080000';
let path: string;

beforeEach(() => {
  path = join(tempFolder(), 'history.db');
});

const open = () => openFile(path, START, (db) => new HistoryFile(db, START));
const files = () => readdirSync(dirname(path)).sort();

/** A history with some hundred events, closed or left as a kill leaves it. */
function write({ isKilled = false } = {}): void {
  const history = openHistory(path);
  const events = Array.from({ length: 500 }, (_, count) =>
    eventAt(START + count, count, { detail: { text: 'x'.repeat(99) } }),
  );
  history.write(batch(START, { events, looks: [look(START, { one: { memoryBytes: 1e6 } })] }));
  if (isKilled) path = killed(history, path);
  else history.close();
}

const eventsIn = (history: HistoryFile) =>
  readPastEvents(history.db, { from: 0, to: START + 1e6, limit: 1000 }).events.length;

describe('a history that is opened', () => {
  it('gives back events whose details it cannot read, with the text of them', () => {
    const history = openHistory(path);
    const kinds = ['crashed', 'stalled', 'restarted'] as const;
    history.write(batch(START, { events: kinds.map((kind, count) => eventAt(START, count, { kind })) }));
    const put = history.db.prepare('UPDATE events SET detail = ? WHERE kind = ?');
    put.run('{"pid":', 'crashed');
    put.run('{"words":["no answer"]}', 'stalled');
    const { events } = readPastEvents(history.db, { from: 0, to: START + 1, limit: 10 });
    history.close();
    expect(events.map(({ kind, detail }) => [kind, detail])).toEqual([
      ['crashed', { raw: '{"pid":' }],
      ['stalled', { raw: '{"words":["no answer"]}' }],
      ['restarted', { count: 2 }],
    ]);
  });

  it('is for its owner alone, in a folder that is made for it', () => {
    path = join(dirname(path), 'home', 'history.db');
    const { value, problem } = open();
    expect(problem).toBeUndefined();
    if (process.platform !== 'win32')
      for (const file of ['history.db', 'history.db-wal'])
        expect(statSync(join(dirname(path), file)).mode & 0o777).toBe(0o600);
    value.close();
    expect(files()).toEqual(['history.db']);
  });

  it('has what was written before a kill', () => {
    write({ isKilled: true });
    const { value, problem } = open();
    expect([eventsIn(value), problem]).toEqual([500, undefined]);
    value.close();
  });

  const damages: Readonly<Record<string, () => void>> = {
    'is empty': () => truncateSync(path, 0),
    'is not a database': () => writeFileSync(path, 'These are notes of somebody else.'.repeat(99)),
    'is cut off in its midst': () => truncateSync(path, Math.floor(statSync(path).size / 2 / 4096) * 4096),
    'is cut off in its first page': () => truncateSync(path, 1000),
    'has pages that were written over': () => {
      const bytes = readFileSync(path);
      bytes.fill(0xa5, 8192, bytes.length - 4096);
      writeFileSync(path, bytes);
    },
    'is of a later version': () => {
      const db = new DatabaseSync(path);
      db.exec(`PRAGMA user_version = ${MIGRATIONS.length + 1}`);
      db.close();
    },
    'is the database of another program': () => {
      const db = new DatabaseSync(path);
      db.exec('PRAGMA application_id = 7');
      db.close();
    },
    'has lost a table': () => {
      const db = new DatabaseSync(path);
      db.exec('DROP TABLE looks');
      db.close();
    },
  };

  for (const [what, damage] of Object.entries(damages))
    it(`is set aside as it is where it ${what}, and another one is begun`, () => {
      write();
      damage();
      const before = readFileSync(path);
      const { value, problem } = open();
      expect(problem).toContain(ASIDE);
      expect(readFileSync(join(dirname(path), ASIDE)).equals(before)).toBe(true);
      expect(eventsIn(value)).toBe(0);
      value.write(batch(START, { events: [eventAt(START, 1)] }));
      value.close();
      const again = open();
      expect(again.problem).toBeUndefined();
      again.value.close();
    });

  it('is set aside with what was not yet merged into it', () => {
    const history = openHistory(path);
    history.write(batch(START, { events: [eventAt(START, 1)] }));
    history.db.exec(`PRAGMA user_version = ${MIGRATIONS.length + 1}`);
    path = killed(history, path);
    open().value.close();
    const aside = new DatabaseSync(`${path}.damaged-20270115T080000`);
    expect(aside.prepare('SELECT at FROM events').all()).toEqual([{ at: START }]);
    aside.close();
  });

  const losses: Readonly<Record<string, () => void>> = {
    'was cut to nothing': () => truncateSync(path, 0),
    'is gone': () => rmSync(path),
  };

  for (const [what, lose] of Object.entries(losses))
    it(`that ${what} is told, and what was not yet merged into it is kept`, () => {
      write({ isKilled: true });
      lose();
      const left = readFileSync(`${path}-wal`);
      expect(left.length).toBeGreaterThan(50_000);
      const { value, problem } = open();
      const aside = `${path}.damaged-20270115T080000`;
      expect(problem).toContain(aside);
      expect(readFileSync(`${aside}-wal`).equals(left)).toBe(true);
      expect(existsSync(aside)).toBe(what !== 'is gone');
      expect(eventsIn(value)).toBe(0);
      value.close();
      const again = open();
      expect(again.problem).toBeUndefined();
      again.value.close();
    });

  it('is begun without a word where an earlier attempt to begin it came to nothing', () => {
    // Its first page goes through a journal, which cannot be made here.
    mkdirSync(`${path}-journal`);
    expect(open).toThrow();
    rmSync(`${path}-journal`, { recursive: true });
    const { value, problem } = open();
    expect(problem).toBeUndefined();
    value.close();
    expect(files()).toEqual(['history.db']);
  });

  it('takes the place of a folder, and of nothing that was set aside in the same second', () => {
    mkdirSync(path);
    open().value.close();
    writeFileSync(path, 'no database, and longer than a header of one is'.repeat(9));
    open().value.close();
    expect(files()).toEqual(['history.db', ASIDE, `${ASIDE}-2`]);
  });

  it('cannot be opened where there can be no folder, and then nothing is moved', () => {
    appendFileSync(join(dirname(path), 'file'), '');
    path = join(dirname(path), 'file', 'history.db');
    expect(open).toThrow();
  });
});

describe('a migration', () => {
  const steps = [
    ...MIGRATIONS,
    (db: Database) => db.exec('CREATE TABLE second (id INTEGER PRIMARY KEY)'),
    (db: Database) => db.exec('INSERT INTO second VALUES (7)'),
  ];

  it('takes a file of each earlier version to the newest, with what is in it', () => {
    for (let version = 0; version <= steps.length; version += 1) {
      const db = new DatabaseSync(`${path}-${version}`);
      migrate(db, steps.slice(0, version));
      if (version > 0) db.exec("INSERT INTO events VALUES ('id', 1, NULL, 'started', '{}')");
      migrate(db, steps);
      expect(pragmaNumber(db, 'user_version')).toBe(steps.length);
      expect(db.prepare('SELECT id FROM second').all()).toEqual([{ id: 7 }]);
      expect(db.prepare('SELECT id FROM events').all()).toHaveLength(version > 0 ? 1 : 0);
      db.close();
    }
  });

  it('that fails leaves the file at the version before it', () => {
    const db = new DatabaseSync(path);
    const failing = [...MIGRATIONS, (one: Database) => one.exec('CREATE TABLE half (id); SELECT nothing')];
    expect(() => migrate(db, failing)).toThrow();
    expect(pragmaNumber(db, 'user_version')).toBe(MIGRATIONS.length);
    expect(() => db.prepare('SELECT * FROM half')).toThrow();
    expect(inTransaction(db, () => 'free for the next')).toBe('free for the next');
    db.close();
  });
});
