import { createHash } from 'node:crypto';
import type { AuditPage, AuditRow } from '../../../../shared/approvals.ts';
import type { AuditRequest } from '../history-source.ts';
import type { AuditEntry } from '../store-messages.ts';
import type { Database } from './open-file.ts';

/** Maximum number of newest rows whose hash chain is checked for one query. The check takes a few milliseconds. */
const MAX_CHECKED = 20_000;

/** SQL expression that joins the searched fields of a row, each on a separate line. */
const SEARCHED = ['client', 'server', 'tool', 'arguments']
  .map((field) => `coalesce(detail ->> '$.${field}', '')`)
  .join(' || char(10) || ');

interface StoredRow {
  readonly id: number;
  readonly at: number;
  readonly detail: string;
  readonly hash: string;
}

/** Adds calls. Each row contains a hash of itself and of the previous row's hash. */
export function writeAudit(db: Database, entries: readonly AuditEntry[]): void {
  if (entries.length === 0) return;
  const newest = db.prepare('SELECT hash FROM audit ORDER BY id DESC LIMIT 1').get() as
    { hash: string } | undefined;
  const insert = db.prepare('INSERT INTO audit (at, detail, hash) VALUES (?, ?, ?)');
  let before = newest?.hash ?? '';
  for (const { at, ...entry } of entries) {
    const detail = JSON.stringify(entry);
    before = hashOf(before, Math.trunc(at), detail);
    insert.run(Math.trunc(at), detail, before);
  }
}

/** Returns the newest calls since a time that contain a text. */
export function readAudit(db: Database, { sinceMs, text, limit }: AuditRequest): AuditPage {
  const conditions = ['at >= ?'];
  const values: (string | number)[] = [sinceMs];
  if (text !== undefined && text !== '') {
    // A plain substring search, so that no character of the text has a special meaning.
    conditions.push(`instr(lower(${SEARCHED}), lower(?)) > 0`);
    values.push(text);
  }
  const rows = db
    .prepare(`SELECT id, at, detail FROM audit WHERE ${conditions.join(' AND ')} ORDER BY id DESC LIMIT ?`)
    .all(...values, limit + 1) as unknown as readonly StoredRow[];
  return {
    rows: rows
      .slice(0, limit)
      .map(({ id, at, detail }) => ({ id, at, ...(JSON.parse(detail) as Omit<AuditRow, 'id' | 'at'>) })),
    isIntact: isIntact(db),
    hasMore: rows.length > limit,
  };
}

/**
 * True if none of the newest rows was changed or removed since it was written. The oldest row that is read cannot be checked,
 * because its predecessor is not read.
 */
function isIntact(db: Database): boolean {
  const rows = db
    .prepare('SELECT id, at, detail, hash FROM audit ORDER BY id DESC LIMIT ?')
    .all(MAX_CHECKED) as unknown as readonly StoredRow[];
  const last = db.prepare(`SELECT seq FROM sqlite_sequence WHERE name = 'audit'`).get() as
    { seq: number } | undefined;
  // The newest row must have the last id that was assigned. Retention may delete all rows, but never only the newest ones.
  if (rows[0] && rows[0].id !== last?.seq) return false;
  return rows.every(({ at, detail, hash, id }, index) => {
    const before = rows[index + 1];
    return before === undefined || (before.id === id - 1 && hashOf(before.hash, at, detail) === hash);
  });
}

const hashOf = (before: string, at: number, detail: string): string =>
  createHash('sha256').update(`${before}\n${at}\n${detail}`).digest('hex');
