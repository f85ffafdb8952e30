import { closeSync, mkdirSync, openSync, renameSync, rmSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DatabaseSync } from '@photostructure/sqlite';
import { errnoOf } from '../../errno.ts';
import { assertOurs, migrate, MIGRATIONS, pragmaNumber } from './schema.ts';
import { inWords, isDamage, isWrongStatement, UnusableHistory } from './sqlite-errors.ts';

export type Database = InstanceType<typeof DatabaseSync>;

export interface Opened<T> {
  readonly value: T;
  /** One sentence for the user that says why a new file was created, and where the previous one is. */
  readonly problem?: string;
}

/** Maximum size in bytes of a file that is checked completely before use, which takes a few milliseconds. */
export const CHECKED_AT_ONCE_BYTES = 16 * 1024 * 1024;

const OWNER_ONLY = 0o600;
const BUSY_TIMEOUT_MS = 2000;
/** Maximum bytes of the `-wal` file after a checkpoint. During writes it contains 1000 pages and a transaction. */
const MAX_WAL_BYTES = 16 * 1024 * 1024;
const CACHE_KIB = 8 * 1024;
const COMPANIONS = ['', '-wal', '-shm'] as const;

/**
 * Opens or creates the history file. An unusable file is renamed to `<path>.damaged-<time>`, never deleted, and a new one is
 * created.
 * @param load reads the initial state; if that shows that the file is damaged, the file is replaced as well
 * @throws when no file can be opened or created: no folder, no permission to write, a full disk
 */
export function openFile<T>(path: string, now: number, load: (db: Database) => T): Opened<T> {
  try {
    return { value: openSound(path, load) };
  } catch (error) {
    if (!isDamage(error)) throw error;
    return beginAnew(path, now, inWords(error), load);
  }
}

/** Opens an existing file read-only. @throws when it cannot be read, or has another version */
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

/** Creates a new file in place of an unusable one, which has been closed. @param why such as "it is damaged" */
export function beginAnew<T>(path: string, now: number, why: string, load: (db: Database) => T): Opened<T> {
  const aside = freeName(`${path}.damaged-${compactTime(now)}`);
  // The `-wal` is moved along, because it may contain data that another program could still read.
  for (const companion of COMPANIONS) renameIfThere(`${path}${companion}`, `${aside}${companion}`);
  const problem = `A new history was started, because ${path} could not be used: ${why}. It is kept as ${aside}.`;
  return { value: openSound(path, load), problem };
}

/** True if SQLite finds no damage in the file. The check reads the whole file. */
export function isSound(db: Database): boolean {
  const rows = db.prepare('PRAGMA quick_check(1)').all() as readonly Record<string, unknown>[];
  return rows.length === 1 && Object.values(rows[0]!)[0] === 'ok';
}

/** Checks a file that another thread uses at the same time. An unreadable file does not count as damaged. */
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
    // Even to read a file, SQLite creates a -wal and a -shm next to it, which fails in a read-only folder, unless the file is
    // opened as immutable. That is safe without a -wal, because the file is then complete.
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
  // Creates the file with owner-only permissions, because SQLite would let everyone read it. SQLite gives its -wal and -shm the
  // same permissions.
  closeSync(openSync(path, 'a', OWNER_ONLY));
  const db = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
  try {
    prepare(db);
    if ((found?.size ?? 0) <= CHECKED_AT_ONCE_BYTES && !isSound(db))
      throw new UnusableHistory('it is damaged');
    return load(db);
  } catch (error) {
    db.close();
    // A new file that is still empty is removed, because the next start would take it for a file that has lost all its data.
    if (found === undefined && fileSizeOf(path) === 0) rmSync(path, { force: true });
    throw isWrongStatement(error) ? new UnusableHistory('its tables are not those of a history') : error;
  }
}

/**
 * Refuses an empty or missing file next to a `-wal`. SQLite would empty the `-wal`, although it may contain a whole history.
 * @throws UnusableHistory
 */
function assertNotLost(path: string, found: Stats | undefined): void {
  if (found === undefined && fileSizeOf(`${path}-wal`) > 0)
    throw new UnusableHistory('it is gone, and only its -wal is left');
  if (found === undefined) return;
  if (!found.isFile()) throw new UnusableHistory('it is not a regular file');
  if (found.size === 0) throw new UnusableHistory('it is empty');
}

function prepare(db: Database): void {
  // Checks first that this app created the file, because a file of another program must not be changed at all.
  const isNew = assertOurs(db);
  // Works only for a file without tables. With it, unused space can be released later, in slices.
  if (isNew) db.exec('PRAGMA auto_vacuum = INCREMENTAL');
  db.exec('PRAGMA journal_mode = WAL');
  db.exec('PRAGMA synchronous = NORMAL');
  db.exec(`PRAGMA journal_size_limit = ${MAX_WAL_BYTES}`);
  db.exec(`PRAGMA cache_size = -${CACHE_KIB}`);
  migrate(db);
}

/** Size in bytes; 0 for a missing file. */
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

/** Names of the numbers that the file stores about itself. */
type MetaKey =
  | `rolled-${'minute' | 'quarter-hour'}`
  | 'confirmed-at'
  | 'candidate-at'
  | 'ran-since-ms'
  | 'journal-is-open';

export function readMeta(db: Database, key: MetaKey): number | undefined {
  const row = db.prepare('SELECT value FROM meta WHERE key = ?').get(key) as { value: number } | undefined;
  return row?.value;
}

export function writeMeta(db: Database, key: MetaKey, value: number): void {
  db.prepare(
    'INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
  ).run(key, value);
}
