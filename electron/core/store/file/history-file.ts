import type { PanelEvent } from '../../../../shared/domain.ts';
import type { LimitsInForce } from '../../../../shared/history.ts';
import type { Batch } from '../store-messages.ts';
import { type Figures, mergedFigures } from '../figures.ts';
import { writeAudit } from './audit.ts';
import { writeCallUsage } from './call-usage.ts';
import { blockRow, LEVELS } from './levels.ts';
import { isSameMinute, type Look, rowsOf } from './looks.ts';
import { type Database, readMeta, writeMeta } from './open-file.ts';
import { OpenLevel } from './open-level.ts';
import { decodeRecords, encodeRecords, type FigureRecord } from './records.ts';
import { StoredRuns } from './run-log.ts';
import { inTransaction, pragmaNumber } from './schema.ts';
import { SeriesNames } from './series-names.ts';
import { isPassing, isReadOnly } from './sqlite-errors.ts';
import { DAY_MS } from '../../../../shared/units.ts';

/** The newest row of samples, to which later calls of the same minute are added; not set for a row read from an existing file. */
interface LastLook {
  readonly seq: number;
  readonly at: number;
  readonly data: Uint8Array;
}

/** The open file with the data kept in memory: series names, and samples that are not merged into minutes yet. */
export class HistoryFile {
  readonly db: Database;
  readonly runs: StoredRuns;
  #names: SeriesNames;
  #levels: readonly OpenLevel[] = [];
  #confirmed: ConfirmedTime | undefined;
  #lastSeq = 0;
  #last: LastLook | undefined;

  /** @param now time at which the app run begins, in epoch milliseconds */
  constructor(db: Database, now: number) {
    this.db = db;
    this.#names = new SeriesNames(db);
    this.runs = new StoredRuns(db, now);
    this.#load();
    this.#beginRun();
  }

  get names(): SeriesNames {
    return this.#names;
  }

  /** Stored resolutions (minutes and quarter hours), finest first, each with its samples that are not merged yet. */
  get levels(): readonly OpenLevel[] {
    return this.#levels;
  }

  /**
   * Wall-clock time in epoch ms that has certainly passed (see `ConfirmedTime`). Data is deleted only if it is older than this
   * time minus its retention.
   */
  get confirmedAt(): number {
    return this.#confirmed?.confirmedAt ?? 0;
  }

  /** Writes the whole batch or nothing. @throws the error of SQLite, with the file and the state as before */
  write(batch: Batch): void {
    try {
      inTransaction(this.db, () => this.#write(batch));
    } catch (error) {
      this.#load();
      throw error;
    }
  }

  /** Adds the events that the file does not contain yet. @returns the number of added events */
  addEvents(events: readonly PanelEvent[]): number {
    const insert = this.db.prepare(
      'INSERT OR IGNORE INTO events (id, at, server, kind, detail) VALUES (?, ?, ?, ?, ?)',
    );
    let added = 0;
    for (const { id, at, server, kind, detail } of events)
      added += Number(insert.run(id, Math.trunc(at), server, kind, JSON.stringify(detail)).changes);
    return added;
  }

  /** Merges all remaining samples into the stored minutes and quarter hours, and closes the file. */
  close(): void {
    try {
      inTransaction(this.db, () => this.#levels.forEach((level) => this.#roll(level)));
    } finally {
      this.db.close();
    }
  }

  /** Closes an unusable file without writing. */
  abandon(): void {
    this.db.close();
  }

  /**
   * Records the start of this run of the app. A full disk is not an error here: older data can still be read, and the first
   * batch that is written also records the run. A read-only file is an error, because it stays read-only for this connection.
   */
  #beginRun(): void {
    if (pragmaNumber(this.db, 'query_only') !== 0) return;
    try {
      this.runs.write();
    } catch (error) {
      if (!isPassing(error) || isReadOnly(error)) throw error;
    }
  }

  #write(batch: Batch): void {
    const { looks, calls } = rowsOf(batch, this.#names);
    const isOfLast = ({ at }: Look) => this.#last !== undefined && isSameMinute(at, this.#last.at);
    const [late, others] = [calls.filter(isOfLast), calls.filter((row) => !isOfLast(row))];
    for (const row of late) this.#addToLast(row);
    for (const row of [...looks, ...others]) this.#addRow(row);
    this.addEvents(batch.events);
    this.#writeLimits(batch.limits);
    writeAudit(this.db, batch.audit ?? []);
    writeCallUsage(this.db, batch.audit ?? []);
    this.runs.seen(batch.at);
    this.#confirm(batch);
  }

  #addRow({ at, records }: Look): void {
    for (const level of this.#levels) if (level.isDue(at)) this.#roll(level);
    this.#lastSeq += 1;
    this.#last = { seq: this.#lastSeq, at, data: encodeRecords(records) };
    this.db
      .prepare('INSERT INTO looks (seq, at, data) VALUES (?, ?, ?)')
      .run(this.#last.seq, at, this.#last.data);
    this.#take(at, records);
  }

  /** Adds calls between two samples to the last row. A row per batch would displace samples, because the row count is limited. */
  #addToLast({ records }: Look): void {
    const { seq, at, data: before } = this.#last!;
    const more = records.map(({ key, figures }) => [key, figures] as const);
    const data = encodeRecords(mergedRecords(before, more));
    this.#last = { seq, at, data };
    this.db.prepare('UPDATE looks SET data = ? WHERE seq = ?').run(data, seq);
    for (const level of this.#levels) for (const { key, figures } of records) level.add(at, key, figures);
  }

  #take(at: number, records: readonly FigureRecord[], levels = this.#levels): void {
    for (const level of levels) {
      level.begin(at);
      for (const { key, figures } of records) level.add(at, key, figures);
    }
  }

  /** Merges the level's samples in memory into its rows, and records in the same transaction up to which sample this was done. */
  #roll(open: OpenLevel): void {
    const find = this.db.prepare('SELECT data FROM blocks WHERE id = ?');
    const put = this.db.prepare('INSERT OR REPLACE INTO blocks (id, data) VALUES (?, ?)');
    for (const { series, block, steps } of open.blocks()) {
      const row = blockRow(open.level, series, block);
      const there = find.get(row) as { data: Uint8Array } | undefined;
      put.run(row, encodeRecords(mergedRecords(there?.data, steps)));
    }
    writeMeta(this.db, `rolled-${open.level.resolution}`, this.#lastSeq);
    open.clear();
  }

  #writeLimits(changes: readonly LimitsInForce[]): void {
    const find = this.db.prepare(
      'SELECT memory_mib, cpu_percent, open_files FROM limits WHERE server = ? AND at <= ? ORDER BY at DESC LIMIT 1',
    );
    const put = this.db.prepare('INSERT OR REPLACE INTO limits VALUES (?, ?, ?, ?, ?)');
    for (const { server, from, maxMemoryMiB, maxCpuPercent, maxOpenFiles } of changes) {
      const at = Math.trunc(from);
      const before = Object.values((find.get(server, at) as Record<string, number> | undefined) ?? {});
      const after = [maxMemoryMiB, maxCpuPercent, maxOpenFiles];
      if (before.length === 0 || after.some((value, index) => value !== before[index]))
        put.run(server, at, ...after);
    }
  }

  #confirm({ at, ranMs }: Batch): void {
    const before = this.#confirmed;
    this.#confirmed = confirmTime(before, at, ranMs);
    const { confirmedAt, candidateAt, ranSinceMs } = this.#confirmed;
    const minutesOf = (time: ConfirmedTime | undefined) => Math.floor((time?.ranSinceMs ?? -1) / 60_000);
    if (before?.candidateAt === candidateAt && minutesOf(before) === minutesOf(this.#confirmed)) return;
    writeMeta(this.db, 'ran-since-ms', ranSinceMs);
    writeMeta(this.db, 'confirmed-at', confirmedAt);
    writeMeta(this.db, 'candidate-at', candidateAt);
  }

  /** Reads the state from the file, at the start and after a rollback. */
  #load(): void {
    this.#names = new SeriesNames(this.db);
    this.runs.load();
    const candidateAt = readMeta(this.db, 'candidate-at');
    this.#confirmed =
      candidateAt === undefined
        ? undefined
        : {
            candidateAt,
            confirmedAt: readMeta(this.db, 'confirmed-at') ?? 0,
            ranSinceMs: readMeta(this.db, 'ran-since-ms') ?? 0,
          };
    this.#loadLooks();
  }

  #loadLooks(): void {
    const newest = this.db.prepare('SELECT max(seq) AS seq FROM looks').get() as { seq: number | null };
    const rolled = LEVELS.map((level) => readMeta(this.db, `rolled-${level.resolution}`) ?? 0);
    this.#lastSeq = Math.max(newest.seq ?? 0, ...rolled);
    // No calls are added to the last row of the file, because it may already be merged into minutes. After a kill, such calls
    // would be missing from every level.
    this.#last = undefined;
    this.#levels = LEVELS.map((level) => new OpenLevel(level));
    const select = this.db.prepare('SELECT seq, at, data FROM looks WHERE seq > ? ORDER BY seq');
    const rows = select.all(Math.min(...rolled)) as readonly { seq: number; at: number; data: Uint8Array }[];
    for (const { seq, at, data } of rows)
      this.#take(
        at,
        decodeRecords(data),
        this.#levels.filter((_, index) => seq > rolled[index]!),
      );
  }
}

/** Merges a row's records with further ones, sorted by key. In minutes and quarter hours, the key is the position in time. */
function mergedRecords(
  data: Uint8Array | undefined,
  more: Iterable<readonly [key: number, figures: Figures]>,
): FigureRecord[] {
  const records = new Map<number, Figures>();
  const there = decodeRecords(data ?? new Uint8Array()).map(({ key, figures }) => [key, figures] as const);
  for (const [key, figures] of [...there, ...more])
    records.set(key, mergedFigures(records.get(key) ?? [], figures));
  return [...records].sort(([a], [b]) => a - b).map(([key, figures]) => ({ key, figures }));
}

/** Longest ms between two readings of the clock that count as running time. After more, the machine may have been asleep. */
const MAX_STEP_MS = 2 * 60_000;

/**
 * A wall-clock time that has certainly passed. The system clock may be far off for a while, for example a year ahead for an
 * hour, and data deleted because of that would be lost. A time is confirmed when the panel has run for a day since that time
 * and the clock never showed an earlier time meanwhile.
 */
export interface ConfirmedTime {
  /** Epoch milliseconds; 0 before the first confirmed time. */
  readonly confirmedAt: number;
  /** Next time to be confirmed, in epoch milliseconds. */
  readonly candidateAt: number;
  readonly ranSinceMs: number;
}

/**
 * Returns the state after a reading of the clock.
 * @param at time that the clock showed, in epoch milliseconds
 * @param ranMs monotonic time since the previous reading
 */
export function confirmTime(known: ConfirmedTime | undefined, at: number, ranMs: number): ConfirmedTime {
  if (known === undefined || at < known.candidateAt)
    return { confirmedAt: Math.min(known?.confirmedAt ?? 0, at), candidateAt: at, ranSinceMs: 0 };
  const ranSinceMs = known.ranSinceMs + Math.min(Math.max(ranMs, 0), MAX_STEP_MS);
  if (ranSinceMs < DAY_MS) return { ...known, ranSinceMs };
  return { confirmedAt: known.candidateAt, candidateAt: at, ranSinceMs: 0 };
}
