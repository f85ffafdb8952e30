import { closeSync, mkdirSync, openSync, renameSync, rmSync, statSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DatabaseSync } from '@photostructure/sqlite';
import { errnoOf } from '../../errno.ts';
import { assertOurs, migrate, MIGRATIONS, pragmaNumber } from './schema.ts';
import { inWords, isDamage, isWrongStatement, UnusableHistory } from './sqlite-errors.ts';

export type Database = InstanceType<typeof DatabaseSync>;

export interface Opened<T> {
  readonly value: T;
  /** Why another file had to be begun, and where the one before is: one sentence for people. */
  readonly problem?: string;
}

/** A file up to this size is checked from end to end before it is used, which takes some milliseconds. */
export const CHECKED_AT_ONCE_BYTES = 16 * 1024 * 1024;

const OWNER_ONLY = 0o600;
const BUSY_TIMEOUT_MS = 2000;
/** Size of the `-wal` beside the file after a checkpoint, at most; while it is written it has 1000 pages and a transaction. */
const MAX_WAL_BYTES = 16 * 1024 * 1024;
const CACHE_KIB = 8 * 1024;
const COMPANIONS = ['', '-wal', '-shm'] as const;

/**
 * Opens the file, or begins it. One that cannot be used is renamed to `<path>.damaged-<time>`, never deleted, and a new one
 * is begun. @param load takes what it needs from it; a file that fails there is damaged too.
 * @throws where there can be no file: no folder, no right to write, a full disk
 */
export function openFile<T>(path: string, now: number, load: (db: Database) => T): Opened<T> {
  try {
    return { value: openSound(path, load) };
  } catch (error) {
    if (!isDamage(error)) throw error;
    return beginAnew(path, now, inWords(error), load);
  }
}

/**
 * Opens a file that is there for questions alone, and changes nothing of it. @throws where it cannot be read, or is of
 * another version than this one
 */
export function openStoreForReading<T>(path: string, load: (db: Database) => T): T {
  const db = readOnly(path);
  try {
    db.exec('PRAGMA query_only = ON');
    if (assertOurs(db) || pragmaNumber(db, 'user_version') !== MIGRATIONS.length)
      throw new UnusableHistory('it is of an earlier version');
    return load(db);
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Begins a new file beside the one that cannot be used and is closed already. @param why such as "it is damaged" */
export function beginAnew<T>(path: string, now: number, why: string, load: (db: Database) => T): Opened<T> {
  const aside = freeName(`${path}.damaged-${compactTime(now)}`);
  // What is not yet merged into the file stays beside it, so that another program can read all of it.
  for (const companion of COMPANIONS) renameIfThere(`${path}${companion}`, `${aside}${companion}`);
  const problem = `The history was begun anew, because ${path} could not be used: ${why}. It is kept as ${aside}.`;
  return { value: openSound(path, load), problem };
}

/** Whether the whole file holds together. Reads all of it. */
export function isSound(db: Database): boolean {
  const rows = db.prepare('PRAGMA quick_check(1)').all() as readonly Record<string, unknown>[];
  return rows.length === 1 && Object.values(rows[0]!)[0] === 'ok';
}

/** The same of a file that another thread uses meanwhile. One that cannot be read is not known to be damaged. */
export function isSoundAt(path: string): boolean {
  try {
    const db = new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
    try {
      return isSound(db);
    } finally {
      db.close();
    }
  } catch (error) {
    return !isDamage(error);
  }
}

function readOnly(path: string): Database {
  const db = new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
  try {
    pragmaNumber(db, 'schema_version');
    return db;
  } catch (error) {
    db.close();
    // SQLite makes a -wal and a -shm to read by, unless it knows that nobody writes. Without a -wal the file has all.
    if (fileSizeOf(path) === 0 || fileSizeOf(`${path}-wal`) > 0) throw error;
    const url = pathToFileURL(path);
    url.searchParams.set('immutable', '1');
    return new DatabaseSync(url, { readOnly: true });
  }
}

function openSound<T>(path: string, load: (db: Database) => T): T {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const found = statSync(path, { throwIfNoEntry: false });
  assertNotLost(path, found);
  // SQLite would create it for everybody to read, and its companions have the rights that it has.
  closeSync(openSync(path, 'a', OWNER_ONLY));
  const db = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
  try {
    prepare(db);
    if ((found?.size ?? 0) <= CHECKED_AT_ONCE_BYTES && !isSound(db))
      throw new UnusableHistory('it is damaged');
    return load(db);
  } catch (error) {
    db.close();
    // An empty file would look like one that has lost all that was in it.
    if (found === undefined && fileSizeOf(path) === 0) rmSync(path, { force: true });
    throw isWrongStatement(error) ? new UnusableHistory('its tables are not those of a history') : error;
  }
}

/**
 * SQLite takes an empty file, or none, for a new one, and empties the `-wal` beside it, in which there may be all of a history.
 * @throws UnusableHistory
 */
function assertNotLost(path: string, found: Stats | undefined): void {
  if (found === undefined && fileSizeOf(`${path}-wal`) > 0)
    throw new UnusableHistory('it is gone, and only its -wal is left');
  if (found === undefined) return;
  if (!found.isFile()) throw new UnusableHistory('it is no regular file');
  if (found.size === 0) throw new UnusableHistory('it is empty');
}

function prepare(db: Database): void {
  // Whose file it is comes first, because another one is not to be changed by as much as a byte.
  const isNew = assertOurs(db);
  // Only a file without tables takes this: space that nothing uses any more can be given back later, a slice at a time.
  if (isNew) db.exec('PRAGMA auto_vacuum = INCREMENTAL');
  db.exec('PRAGMA journal_mode = WAL');
  db.exec('PRAGMA synchronous = NORMAL');
  db.exec(`PRAGMA journal_size_limit = ${MAX_WAL_BYTES}`);
  db.exec(`PRAGMA cache_size = -${CACHE_KIB}`);
  migrate(db);
}

/** 0 where there is no file. */
export const fileSizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

const compactTime = (epochMs: number): string =>
  new Date(epochMs).toISOString().slice(0, 19).replaceAll(/[-:]/g, '');

function freeName(path: string): string {
  const isTaken = (name: string) => statSync(name, { throwIfNoEntry: false }) !== undefined;
  let name = path;
  for (let count = 2; isTaken(name); count += 1) name = `${path}-${count}`;
  return name;
}

function renameIfThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
  }
}
