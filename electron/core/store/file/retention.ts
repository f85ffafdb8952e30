import type { HistoryFile } from './history-file.ts';
import { EVENTS_KEPT_MS, LEVELS, MAX_LOOKS, blockMs, blockOfRow, blockRow, type Level } from './levels.ts';
import type { Database } from './open-file.ts';
import { inTransaction, pragmaNumber } from './schema.ts';
import type { NamedSeries } from './series-names.ts';
import { HOUR_MS } from '../../../../shared/units.ts';
/** Maximum series and rows per step of the cleanup. A step takes a few milliseconds, during which queries have to wait. */
const SERIES_IN_SLICE = 100;
const ROWS_IN_SLICE = 200;
const PAGES_IN_SLICE = 64;
/** Number of writes between two steps of the cleanup; one step per minute is enough in the long run. */
const WRITES_BETWEEN = 60;
/** Share of unused pages in the file above which they are released, provided that there are also more than a minimum number. */
const MAX_UNUSED_PART = 1 / 4;
const MAX_UNUSED_PAGES = 1024;
/** Share of the size limit above which the oldest data is deleted. Below 1, because writes need room until that is done. */
const FULL_PART = 0.95;

/** Deletes data whose retention has passed, and the oldest data of too large a file, in small steps that hardly delay queries. */
export class Retention {
  readonly #file: HistoryFile;
  readonly #maxBytes: number;
  #cursor = 0;
  #writes = 0;
  #isBehind = false;
  #isFull = false;

  constructor(file: HistoryFile, maxBytes: number) {
    this.#file = file;
    this.#maxBytes = maxBytes;
  }

  /** True if data was deleted because of the size limit since the file was opened. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** Runs one step of the cleanup if it is due. @throws the error of SQLite; the next call then continues from the same place */
  afterWrite(): void {
    this.#writes += 1;
    if (!this.#isBehind && this.#writes < WRITES_BETWEEN) return;
    this.#writes = 0;
    this.#isBehind = true;
    const { db } = this.#file;
    const deleted = inTransaction(db, () => this.#deleteLooks() + this.#deleteOld() + this.#evict());
    const isWasteful = hasMuchUnused(db);
    if (isWasteful) db.exec(`PRAGMA incremental_vacuum(${PAGES_IN_SLICE})`);
    this.#isBehind = deleted >= ROWS_IN_SLICE || isWasteful || isTooLarge(db, this.#maxBytes);
  }

  /** Deletes the oldest samples by row number, because the clock may be wrong. Keeps those not merged into every level yet. */
  #deleteLooks(): number {
    return changes(
      this.#file.db,
      `DELETE FROM looks WHERE seq <= min((SELECT max(seq) FROM looks) - ?, (SELECT min(value) FROM meta WHERE key LIKE 'rolled-%'),
         (SELECT min(seq) FROM looks) + ?)`,
      MAX_LOOKS,
      ROWS_IN_SLICE,
    );
  }

  #deleteOld(): number {
    const { db, confirmedAt, names } = this.#file;
    const series = names.all;
    const slice = series.slice(this.#cursor, this.#cursor + SERIES_IN_SLICE);
    this.#cursor = this.#cursor + SERIES_IN_SLICE >= series.length ? 0 : this.#cursor + SERIES_IN_SLICE;
    let deleted = this.#cursor === 0 ? 0 : ROWS_IN_SLICE;
    for (const one of slice) {
      for (const level of LEVELS) {
        const end = Math.floor((confirmedAt - level.keptMs) / blockMs(level));
        deleted += deleteBlocks(db, level, one.id, end);
      }
      this.#forgetEmpty(one);
    }
    return deleted + deleteEvents(db, confirmedAt - EVENTS_KEPT_MS);
  }

  #forgetEmpty(series: NamedSeries): void {
    const { db, levels, names } = this.#file;
    const isOpen = levels.some((level) => level.stepsOf(series.id).size > 0);
    const isKept = LEVELS.some((level) => oldestBlock(db, level, series.id) !== undefined);
    if (!isOpen && !isKept) names.forget(series);
  }

  /** Deletes the oldest data of a file that is too large: minutes, then quarter hours if no minutes are left, then events. */
  #evict(): number {
    const { db, names } = this.#file;
    if (!isTooLarge(db, this.#maxBytes)) return 0;
    for (const level of LEVELS) {
      const ages = names.all.flatMap(({ id }) => oldestBlock(db, level, id) ?? []);
      if (ages.length === 0) continue;
      this.#isFull = true;
      const end = ages.reduce((one, other) => Math.min(one, other)) + 1;
      return names.all.reduce((deleted, { id }) => deleted + deleteBlocks(db, level, id, end), 0);
    }
    const deleted = changes(
      db,
      'DELETE FROM events WHERE id IN (SELECT id FROM events ORDER BY id LIMIT ?)',
      ROWS_IN_SLICE,
    );
    this.#isFull ||= deleted > 0;
    return deleted;
  }
}

/** Deletes a limited number of the blocks (rows of a series) before the block number `end`, the oldest first. */
function deleteBlocks(db: Database, level: Level, series: number, end: number): number {
  const oldest = oldestBlock(db, level, series);
  if (oldest === undefined || oldest >= end) return 0;
  return changes(
    db,
    'DELETE FROM blocks WHERE id >= ? AND id < ?',
    blockRow(level, series, oldest),
    blockRow(level, series, Math.min(end, oldest + ROWS_IN_SLICE)),
  );
}

function oldestBlock(db: Database, level: Level, series: number): number | undefined {
  const row = db
    .prepare('SELECT min(id) AS id FROM blocks WHERE id BETWEEN ? AND ?')
    .get(blockRow(level, series, 0), blockRow(level, series, Infinity)) as { id: number | null };
  return row.id === null ? undefined : blockOfRow(row.id);
}

/**
 * Deletes events, audited calls, hourly tool calls and app runs before a time. It also deletes limits that were replaced before
 * that time; current limits are needed at any age.
 */
function deleteEvents(db: Database, before: number): number {
  return (
    changes(
      db,
      'DELETE FROM events WHERE id IN (SELECT id FROM events WHERE at < ? LIMIT ?)',
      before,
      ROWS_IN_SLICE,
    ) +
    changes(
      db,
      'DELETE FROM audit WHERE id IN (SELECT id FROM audit WHERE at < ? ORDER BY id LIMIT ?)',
      before,
      ROWS_IN_SLICE,
    ) +
    changes(
      db,
      `DELETE FROM tool_hours WHERE (hour, series) IN
         (SELECT hour, series FROM tool_hours WHERE hour < ? ORDER BY hour LIMIT ?)`,
      Math.floor(before / HOUR_MS),
      ROWS_IN_SLICE,
    ) +
    changes(db, 'DELETE FROM runs WHERE last_seen_at < ? AND id < (SELECT max(id) FROM runs)', before) +
    changes(
      db,
      `DELETE FROM limits WHERE EXISTS
         (SELECT 1 FROM limits later WHERE later.server = limits.server AND later.at > limits.at AND later.at < ?)`,
      before,
    )
  );
}

function isTooLarge(db: Database, maxBytes: number): boolean {
  const pages = pragmaNumber(db, 'page_count') - pragmaNumber(db, 'freelist_count');
  return pages * pragmaNumber(db, 'page_size') > maxBytes * FULL_PART;
}

function hasMuchUnused(db: Database): boolean {
  const unused = pragmaNumber(db, 'freelist_count');
  return unused > MAX_UNUSED_PAGES && unused > pragmaNumber(db, 'page_count') * MAX_UNUSED_PART;
}

const changes = (db: Database, sql: string, ...values: readonly (string | number)[]): number =>
  Number(db.prepare(sql).run(...values).changes);
