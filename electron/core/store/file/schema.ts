import type { DatabaseSync } from '@photostructure/sqlite';
import { UnusableHistory } from './sqlite-errors.ts';

type Database = InstanceType<typeof DatabaseSync>;

/** "MCPh" in ASCII. It is stored in the file to show that the file belongs to this app. */
const APPLICATION_ID = 0x4d435068;

/** Migrates a file from the version that is its index in `MIGRATIONS` to the next one. Released migrations are never changed. */
type Migration = (db: Database) => void;

export const MIGRATIONS: readonly Migration[] = [
  (db) =>
    db.exec(`
      CREATE TABLE meta (key TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
      -- Whose figures: of a server (kind 1), or of its calls (kind 2), as one client or ('') its connections saw them.
      CREATE TABLE series (
        id INTEGER PRIMARY KEY AUTOINCREMENT, kind INTEGER NOT NULL, server TEXT NOT NULL, client TEXT NOT NULL,
        UNIQUE (kind, server, client)
      );
      -- All figures of one moment, by series. In the order of seq, also where the time of day was set back.
      CREATE TABLE looks (seq INTEGER PRIMARY KEY, at INTEGER NOT NULL, data BLOB NOT NULL);
      -- Minutes and quarter hours; the id says level, series and block.
      CREATE TABLE blocks (id INTEGER PRIMARY KEY, data BLOB NOT NULL);
      CREATE TABLE events (
        id TEXT PRIMARY KEY, at INTEGER NOT NULL, server TEXT, kind TEXT NOT NULL, detail TEXT NOT NULL
      );
      CREATE INDEX events_by_time ON events (at);
      CREATE INDEX events_by_server ON events (server, at);
      CREATE TABLE limits (
        server TEXT NOT NULL, at INTEGER NOT NULL, memory_mib REAL NOT NULL, cpu_percent REAL NOT NULL,
        open_files REAL NOT NULL, PRIMARY KEY (server, at)
      ) WITHOUT ROWID;
      CREATE TABLE runs (id INTEGER PRIMARY KEY, started_at INTEGER NOT NULL, last_seen_at INTEGER NOT NULL);
    `),
  // AUTOINCREMENT prevents ids from being reused, so that a removed row leaves a visible gap.
  (db) =>
    db.exec(`
      CREATE TABLE audit (
        id INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, detail TEXT NOT NULL, hash TEXT NOT NULL
      );
      CREATE INDEX audit_by_time ON audit (at);
    `),
  // Calls of a tool by a client, by hour. `times` is a list of pairs: histogram step and number of calls.
  (db) =>
    db.exec(`
      CREATE TABLE tool_series (
        id INTEGER PRIMARY KEY, server TEXT NOT NULL, tool TEXT NOT NULL, client TEXT NOT NULL,
        UNIQUE (server, tool, client)
      );
      CREATE TABLE tool_hours (
        hour INTEGER NOT NULL, series INTEGER NOT NULL, calls INTEGER NOT NULL, tool_errors INTEGER NOT NULL,
        errors INTEGER NOT NULL, bytes_in INTEGER NOT NULL, bytes_out INTEGER NOT NULL, last_at INTEGER NOT NULL,
        times TEXT NOT NULL, PRIMARY KEY (hour, series)
      ) WITHOUT ROWID;
    `),
];

/**
 * Checks that the file belongs to this app and that its version is known. @returns whether the file is new @throws
 * UnusableHistory for a file of another program or of a later version
 */
export function assertOurs(db: Database, steps: readonly Migration[] = MIGRATIONS): boolean {
  if (pragmaNumber(db, 'schema_version') === 0) return true;
  if (pragmaNumber(db, 'application_id') !== APPLICATION_ID)
    throw new UnusableHistory('it is a database of another program');
  const version = pragmaNumber(db, 'user_version');
  if (version > steps.length)
    throw new UnusableHistory(
      `a later version of the panel wrote it (format ${version}; this one knows formats up to ${steps.length})`,
    );
  return false;
}

/** Migrates the file to the current version, with one transaction per step, so that a failed step changes nothing. */
export function migrate(db: Database, steps: readonly Migration[] = MIGRATIONS): void {
  for (let from = pragmaNumber(db, 'user_version'); from < steps.length; from += 1)
    inTransaction(db, () => {
      steps[from]!(db);
      db.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
      db.exec(`PRAGMA user_version = ${from + 1}`);
    });
}

/** Runs the task completely or not at all. @throws errors of the task and of the commit */
export function inTransaction<T>(db: Database, task: () => T): T {
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = task();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    // SQLite may have rolled back already, for example because the disk is full.
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

export function pragmaNumber(db: Database, name: string): number {
  const row = db.prepare(`PRAGMA ${name}`).get() as Record<string, number> | undefined;
  return Object.values(row ?? {})[0] ?? 0;
}
