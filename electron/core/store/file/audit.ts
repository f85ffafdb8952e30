import { createHash } from 'node:crypto';
import type { AuditPage, AuditRow } from '../../../../shared/approvals.ts';
import type { AuditRequest } from '../history-source.ts';
import type { AuditEntry } from '../store-messages.ts';
import type { Database } from './open-file.ts';

/** Rows whose chain of hashes is checked for one answer: the newest, some milliseconds of the thread. */
const MAX_CHECKED = 20_000;

/** Texts of a row that are searched, in lines of their own. */
const SEARCHED = ['client', 'server', 'tool', 'arguments']
  .map((field) => `coalesce(detail ->> '$.${field}', '')`)
  .join(' || char(10) || ');

interface StoredRow {
  readonly id: number;
  readonly at: number;
  readonly detail: string;
  readonly hash: string;
}

/** Adds calls. Each row holds a hash over itself and the hash of the row before. */
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

/** The newest calls since a time that contain a text. */
export function readAudit(db: Database, { sinceMs, text, limit }: AuditRequest): AuditPage {
  const conditions = ['at >= ?'];
  const values: (string | number)[] = [sinceMs];
  if (text !== undefined && text !== '') {
    // A plain substring, so that no sign of the text means anything else.
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

/** Whether no row among the newest was changed or taken out. The oldest that is kept begins the chain. */
function isIntact(db: Database): boolean {
  const rows = db
    .prepare('SELECT id, at, detail, hash FROM audit ORDER BY id DESC LIMIT ?')
    .all(MAX_CHECKED) as unknown as readonly StoredRow[];
  const last = db.prepare(`SELECT seq FROM sqlite_sequence WHERE name = 'audit'`).get() as
    { seq: number } | undefined;
  // Retention may take all rows, and never the newest of several.
  if (rows[0] && rows[0].id !== last?.seq) return false;
  return rows.every(({ at, detail, hash, id }, index) => {
    const before = rows[index + 1];
    return before === undefined || (before.id === id - 1 && hashOf(before.hash, at, detail) === hash);
  });
}

const hashOf = (before: string, at: number, detail: string): string =>
  createHash('sha256').update(`${before}\n${at}\n${detail}`).digest('hex');
