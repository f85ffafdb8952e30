import type { PastState } from '../../../../shared/history.ts';
import type { HistoryFile } from './history-file.ts';
import { QUARTERS, blockOfRow, blockRow } from './levels.ts';
import { stepBegan } from './open-level.ts';
import { fileSizeOf, type Database } from './open-file.ts';
import { RecordReader } from './records.ts';

/** Returns the path, size and start of the history. */
export function readState(file: HistoryFile, path: string): PastState {
  const merged = file.names.all.map(({ id }) => firstQuarter(file.db, id));
  const quarters = [...merged, ...firstOpen(file)].filter((at) => at !== undefined);
  const ran = firstRun(file.db);
  // The first quarter hour usually began before the panel's first run. In that case, the start of the run is the start of the
  // history.
  const began = quarters.map((at) =>
    ran !== undefined && ran - at < QUARTERS.stepMs ? Math.max(at, ran) : at,
  );
  const oldest = [...began, firstEvent(file.db)].filter((at) => at !== undefined);
  return {
    keptIn: 'file',
    path,
    sizeBytes: fileSizeOf(path) + fileSizeOf(`${path}-wal`),
    ...(oldest.length > 0 && { oldestAt: oldest.reduce((one, other) => Math.min(one, other)) }),
  };
}

const firstEvent = (db: Database) => leastOf(db, 'SELECT min(at) AS at FROM events');
const firstRun = (db: Database) => leastOf(db, 'SELECT min(started_at) AS at FROM runs');

function leastOf(db: Database, statement: string): number | undefined {
  const row = db.prepare(statement).get() as { at: number | null };
  return row.at ?? undefined;
}

/** Returns the start times of all quarter hours that are still in memory and not merged into the file yet. */
function firstOpen({ levels, names }: HistoryFile): readonly number[] {
  const open = levels.find(({ level }) => level === QUARTERS);
  return names.all.flatMap(({ id }) =>
    [...(open?.stepsOf(id).keys() ?? [])].map((step) => step * QUARTERS.stepMs),
  );
}

function firstQuarter(db: Database, series: number): number | undefined {
  const row = db
    .prepare('SELECT id, data FROM blocks WHERE id BETWEEN ? AND ? ORDER BY id LIMIT 1')
    .get(blockRow(QUARTERS, series, 0), blockRow(QUARTERS, series, Infinity)) as
    { id: number; data: Uint8Array } | undefined;
  const reader = new RecordReader(row?.data ?? new Uint8Array());
  return row !== undefined && reader.nextRecord()
    ? stepBegan(QUARTERS, blockOfRow(row.id), reader.key)
    : undefined;
}
