import { HistoryFile } from '../../../electron/core/store/file/history-file.ts';
import { LEVELS, QUARTERS, blockMs, blockRow, type Level } from '../../../electron/core/store/file/levels.ts';
import { openFile } from '../../../electron/core/store/file/open-file.ts';
import { encodeRecords, type FigureRecord } from '../../../electron/core/store/file/records.ts';
import { inTransaction } from '../../../electron/core/store/file/schema.ts';
import type { Stat } from '../../../electron/core/store/figures.ts';
import type { LookMessage } from '../../../electron/core/store/store-messages.ts';

const DAY_MS = 86_400_000;
const EVENTS_A_DAY = 200;
const LOOKS = 3600;

export const serverNames = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `server-${index}`);

/** One look at so many servers, with four figures of each that go up and down. */
export function lookAt(at: number, servers: readonly string[]): LookMessage {
  const wave = Math.sin(at / 600_000);
  const values = servers.flatMap((_, index) => [
    (150 + index + 20 * wave) * 1024 ** 2,
    5 + (index % 7) + 4 * wave,
    33,
    3,
    NaN,
  ]);
  return { at, servers, values: Float64Array.from(values) };
}

/** A history of 90 days as the panel leaves it: each row is written three times while it grows. @returns its end */
export function fillHistory(path: string, servers: readonly string[], now: number): void {
  const history = openFile(path, now, (db) => new HistoryFile(db, now - 90 * DAY_MS)).value;
  const ids = inTransaction(history.db, () => servers.map((server) => history.names.idOf('server', server)));
  for (const level of LEVELS) fillLevel(history, level, ids, now);
  const last = Array.from({ length: LOOKS }, (_, index) => lookAt(now - (LOOKS - index) * 1000, servers));
  for (let first = 0; first < LOOKS; first += 60)
    history.write({
      at: now,
      ranMs: 60_000,
      looks: last.slice(first, first + 60),
      calls: [],
      events: eventsOf(first, now),
      limits: [],
      hasLostEvents: false,
    });
  // Closed as by a kill, so that opening has looks to merge.
  history.abandon();
}

function fillLevel({ db }: HistoryFile, level: Level, ids: readonly number[], now: number): void {
  const put = db.prepare('INSERT OR REPLACE INTO blocks (id, data) VALUES (?, ?)');
  const end = Math.floor((now - 3_600_000) / blockMs(level));
  // What is deleted waits for up to two days of running more.
  const first = Math.floor((now - level.keptMs - 2 * DAY_MS) / blockMs(level));
  for (let block = first; block < end; block += 1)
    inTransaction(db, () => {
      for (const part of [1 / 3, 2 / 3, 1])
        for (const id of ids)
          put.run(blockRow(level, id, block), encodeRecords(recordsOf(level, id, block, part)));
    });
}

function recordsOf(level: Level, id: number, block: number, part: number): FigureRecord[] {
  const looks = level === QUARTERS ? 900 : 60;
  return Array.from({ length: Math.round(level.stepsInBlock * part) }, (_, key) => {
    const wave = Math.sin((block * level.stepsInBlock + key) / 11) + 1;
    const around = (middle: number, spread: number): Stat => ({
      count: looks,
      min: Math.round(middle),
      sum: looks * Math.round(middle + spread / 3),
      max: Math.round(middle + spread),
    });
    return {
      key,
      figures: [
        around(150_000 + id * 1000 + 20_000 * wave, 3000 * wave),
        around(50 * wave, 300),
        around(33, 2),
        around(3, 0),
      ],
    };
  });
}

const eventsOf = (first: number, now: number) =>
  Array.from({ length: (EVENTS_A_DAY * 90 * 60) / LOOKS }, (_, index) => {
    const at = now - Math.floor(((first * 5 + index) / (EVENTS_A_DAY * 90)) * 90 * DAY_MS);
    const id = `${String(at).padStart(14, '0')}-${String(first * 1000 + index).padStart(8, '0')}-bench`;
    return {
      id,
      at,
      server: `server-${index % 100}`,
      kind: 'crashed' as const,
      detail: { message: 'exit code 1', stderrTail: 'x'.repeat(200) },
    };
  });
