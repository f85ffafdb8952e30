import type { Database } from './open-file.ts';

/** Names of the numbers that the file stores about itself. */
export type MetaKey =
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
