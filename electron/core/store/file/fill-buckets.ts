import type { Buckets } from '../../../../shared/buckets.ts';
import type { HistoryFile } from './history-file.ts';
import { blockMs, blockOfRow, blockRow, type Level, type Resolution } from './levels.ts';
import { stepBegan } from './open-level.ts';
import { RecordReader } from './records.ts';

/** Target buckets by metric; undefined for a metric that is not requested. */
export type Sinks = readonly (Buckets | undefined)[];

/**
 * Fills the buckets with all stored figures of the given series. They include recent samples that are still in memory and not
 * yet merged into the stored minutes or quarter hours.
 */
export function fillBuckets(
  file: HistoryFile,
  { level, span }: Resolution,
  wanted: ReadonlyMap<number, Sinks>,
): void {
  if (level === undefined) return fillFromLooks(file, span, wanted);
  for (const [series, sinks] of wanted) {
    fillFromBlocks(file, level, span, series, sinks);
    fillFromOpen(file, level, series, sinks);
  }
}

function fillFromLooks(
  { db }: HistoryFile,
  { from, to }: Resolution['span'],
  wanted: ReadonlyMap<number, Sinks>,
): void {
  const rows = db.prepare('SELECT at, data FROM looks WHERE at >= ? AND at < ?').iterate(from, to);
  for (const { at, data } of rows as Iterable<{ at: number; data: Uint8Array }>) {
    const reader = new RecordReader(data);
    while (reader.nextRecord()) {
      const sinks = wanted.get(reader.key);
      if (sinks !== undefined) pour(reader, at, sinks);
    }
  }
}

function fillFromBlocks(
  { db }: HistoryFile,
  level: Level,
  { from, to }: Resolution['span'],
  series: number,
  sinks: Sinks,
): void {
  const blockAt = (at: number) => blockRow(level, series, Math.floor(at / blockMs(level)));
  const rows = db
    .prepare('SELECT id, data FROM blocks WHERE id BETWEEN ? AND ?')
    .iterate(blockAt(from), blockAt(to));
  for (const { id, data } of rows as Iterable<{ id: number; data: Uint8Array }>) {
    const reader = new RecordReader(data);
    while (reader.nextRecord()) pour(reader, stepBegan(level, blockOfRow(id), reader.key), sinks);
  }
}

function fillFromOpen({ levels }: HistoryFile, level: Level, series: number, sinks: Sinks): void {
  const open = levels.find((one) => one.level === level);
  for (const [step, figures] of open?.stepsOf(series) ?? [])
    for (const [index, stat] of figures.entries())
      if (stat !== undefined)
        sinks[index]?.add(step * level.stepMs, stat.count, stat.min, stat.sum, stat.max);
}

/** Adds the stats of the reader's current record to the buckets. */
function pour(reader: RecordReader, at: number, sinks: Sinks): void {
  for (let index = 0; reader.nextStat(); index += 1)
    sinks[index]?.add(at, reader.count, reader.min, reader.sum, reader.max);
}
