import { statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { HistoryFile } from '../../../electron/core/store/file/history-file.ts';
import { readCalls } from '../../../electron/core/store/file/read-calls.ts';
import { readPastEvents } from '../../../electron/core/store/file/read-past-events.ts';
import { readSeries } from '../../../electron/core/store/file/read-series.ts';
import { readState } from '../../../electron/core/store/file/read-state.ts';
import { Retention } from '../../../electron/core/store/file/retention.ts';
import type { Batch } from '../../../electron/core/store/store-messages.ts';
import {
  batch,
  callAt,
  DAY_MS,
  eventAt,
  HOUR_MS,
  look,
  MINUTE_MS,
  openHistory,
  START,
} from './history-fixture.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const YEAR_MS = 365 * DAY_MS;
const AMPLE_BYTES = 1024 ** 3;
let path: string;
let history: HistoryFile;

beforeEach(() => {
  path = join(tempFolder(), 'history.db');
  history = openHistory(path);
});

const write = (at: number, parts: Partial<Batch> = {}) =>
  history.write(
    batch(at, { ranMs: 2 * MINUTE_MS, looks: [look(at, { one: { memoryBytes: 1e6 } })], ...parts }),
  );

/** As after so many batches, of which the first sixty only make a slice due. */
function tidy(retention: Retention, slices = 100): void {
  for (let count = 0; count < 60 + slices; count += 1) retention.afterWrite();
}

/** The panel runs on from then for a bit more than a day, with a sign of life every two minutes. */
function runForADay(from: number): void {
  write(from);
  for (let at = from; at <= from + DAY_MS + 4 * MINUTE_MS; at += 2 * MINUTE_MS) write(at, { looks: [] });
}

/** The panel runs on for two days from `START`, and tidies. */
function runAndTidy(slices?: number): void {
  runForADay(START);
  runForADay(START + DAY_MS);
  tidy(new Retention(history, AMPLE_BYTES), slices);
}

const eventIds = () =>
  readPastEvents(history.db, { from: 0, to: START + 9 * YEAR_MS, limit: 1000 }).events.map(({ at }) => at);
/** Beginnings of the records that are there. */
function kept(beforeMs: number): number {
  const query = { from: START - beforeMs, to: START + 1, servers: ['one'], maxBuckets: 2000 };
  return readSeries(history, { ...query, metrics: ['memoryBytes'] }, START).series[0]!.index.length;
}

describe('what is kept', () => {
  it('are minutes of a week, and quarter hours and events of a quarter of a year', () => {
    const event = (at: number, count: number) => ({ events: [eventAt(at, count)] });
    for (const [count, days] of [91.5, 89, 8, 6].entries())
      write(START - days * DAY_MS, event(START - days * DAY_MS, count));
    runAndTidy();
    expect(eventIds()).toEqual([89, 8, 6].map((days) => START - days * DAY_MS));
    expect(kept(95 * DAY_MS)).toBe(4); // 89, 8 and 6 days ago, and now.
    expect(kept(6.9 * DAY_MS)).toBe(2); // 6 days ago, and now.
  });

  it('is not less for a clock that was set forward by a year and back again, whatever was tidied meanwhile', () => {
    write(START - 5 * DAY_MS, { events: [eventAt(START - 5 * DAY_MS, 1)] });
    runForADay(START - DAY_MS);
    const retention = new Retention(history, AMPLE_BYTES);
    const ahead = START + YEAR_MS;
    for (let at = ahead; at < ahead + 20 * HOUR_MS; at += 2 * MINUTE_MS) write(at, { looks: [] });
    tidy(retention);
    write(START);
    tidy(retention);
    runForADay(START);
    tidy(retention);
    expect(eventIds()).toEqual([START - 5 * DAY_MS]);
    expect(kept(6.9 * DAY_MS)).toBe(3); // 5 days ago, yesterday, and now.
  });

  it('is not less for a clock that was set back by an hour, or by a year', () => {
    for (const backMs of [HOUR_MS, YEAR_MS]) {
      write(START, { events: [eventAt(START, backMs)] });
      runForADay(START - backMs);
      tidy(new Retention(history, AMPLE_BYTES));
    }
    expect(eventIds()).toHaveLength(2);
    expect(kept(MINUTE_MS)).toBeGreaterThan(0);
  });

  it('are the last 4000 looks at least, each only once it is in minutes and quarter hours', () => {
    for (let count = 0; count < 90; count += 1) {
      const looks = Array.from({ length: 100 }, (_, index) => {
        const at = START + (count * 100 + index) * 1000;
        return look(at, { one: { memoryBytes: 1e6 } });
      });
      write(START + count * 100_000, { looks });
    }
    tidy(new Retention(history, AMPLE_BYTES));
    const looks: unknown = history.db.prepare('SELECT count(*) AS count, max(at) AS newest FROM looks').get();
    expect(looks).toEqual({ count: 4000, newest: START + 8_999_000 });
  });

  it('are the seconds of the last hour, however often calls are handed over between two looks', () => {
    const retention = new Retention(history, AMPLE_BYTES);
    const seconds = 70 * 60;
    for (let second = 0; second < seconds; second += 1) {
      const at = START + second * 1000;
      write(at, { looks: [look(at, { one: { memoryBytes: 1e6 } })], calls: [callAt(at)] });
      write(at + 500, { looks: [], calls: [callAt(at + 500)] });
      retention.afterWrite();
      retention.afterWrite();
    }
    const now = START + seconds * 1000;
    const query = { from: now - HOUR_MS, to: now, servers: ['one'], maxBuckets: 2000 };
    const reply = readSeries(history, { ...query, metrics: ['memoryBytes'] }, now);
    expect([reply.resolution, reply.series[0]!.index.length]).toEqual(['sample', HOUR_MS / reply.stepMs]);
    const { buckets } = readCalls(history, { from: START, to: now, maxBuckets: 100 }, now);
    expect(buckets.map(({ calls }) => calls)).toEqual(Array.from({ length: 70 }, () => 120));
  });

  it('keeps within its size by leaving out minutes, then quarter hours, then events, and says so', () => {
    const text = 'x'.repeat(1000);
    const servers = Object.fromEntries(
      Array.from({ length: 12 }, (_, index) => [
        `server-${index}`,
        { memoryBytes: index * 1e6, cpuPercent: 3 },
      ]),
    );
    for (let count = 0; count < 150; count += 1) {
      const at = START + count * 5 * MINUTE_MS;
      write(at, {
        looks: [look(at, servers)],
        events: count % 10 === 0 ? [eventAt(at, count, { detail: { text } })] : [],
      });
    }
    const end = START + 150 * 5 * MINUTE_MS;
    const rows = (level: number) =>
      history.db.prepare('SELECT count(*) AS n FROM blocks WHERE id / (1 << 44) = ?').get(level) as {
        n: number;
      };
    const [minutes, quarters] = [rows(1).n, rows(2).n];
    const used = () => {
      const { pages, free } = history.db
        .prepare(
          'SELECT (SELECT page_count FROM pragma_page_count) AS pages, (SELECT freelist_count FROM pragma_freelist_count) AS free',
        )
        .get() as { pages: number; free: number };
      return (pages - free) * 4096;
    };

    const ample = new Retention(history, AMPLE_BYTES);
    tidy(ample);
    expect([ample.isFull, rows(1).n]).toEqual([false, minutes]);

    const bound = used() * 0.9;
    const retention = new Retention(history, bound);
    tidy(retention, 300);
    expect(used()).toBeLessThanOrEqual(bound);
    expect(retention.isFull).toBe(true);
    expect(rows(1).n).toBeLessThan(minutes);
    expect(rows(1).n).toBeGreaterThan(0);
    expect([rows(2).n, eventIds().length]).toEqual([quarters, 15]);

    tidy(new Retention(history, 1), 150);
    expect([rows(1).n, rows(2).n, eventIds().length]).toEqual([0, 0, 0]);
    write(end);
  });

  it('gives the place of what was deleted back to the disk', () => {
    const text = 'x'.repeat(3000);
    for (let count = 0; count < 3000; count += 50)
      write(START - 200 * DAY_MS, {
        events: Array.from({ length: 50 }, (_, index) =>
          eventAt(START - 200 * DAY_MS, count + index, { detail: { text } }),
        ),
      });
    runForADay(START);
    runForADay(START + DAY_MS);
    const before = statSync(path).size;
    tidy(new Retention(history, AMPLE_BYTES), 200);
    history.close();
    expect(statSync(path).size).toBeLessThan(before / 2);
  });

  it('includes the limits that are in force, whatever their age', () => {
    const at = START - 200 * DAY_MS;
    const limits = { server: 'one', maxMemoryMiB: 100, maxCpuPercent: 80, maxOpenFiles: 9 };
    write(at, { limits: [{ ...limits, from: at }] });
    write(at + DAY_MS, { limits: [{ ...limits, from: at + DAY_MS, maxMemoryMiB: 200 }] });
    // The same once more is no change.
    write(at + 2 * DAY_MS, { limits: [{ ...limits, from: at + 2 * DAY_MS, maxMemoryMiB: 200 }] });
    runAndTidy();
    const query = { from: START, to: START + DAY_MS, servers: ['one'], maxBuckets: 9 };
    expect(readSeries(history, { ...query, metrics: ['rttMs'] }, START).limits).toEqual([
      { ...limits, maxMemoryMiB: 200, from: at + DAY_MS },
    ]);
    expect(history.db.prepare('SELECT count(*) AS count FROM limits').get()).toEqual({ count: 1 });
  });

  it('forgets a server of which nothing is left', () => {
    write(START - 200 * DAY_MS, { looks: [look(START - 200 * DAY_MS, { gone: { memoryBytes: 1e6 } })] });
    runAndTidy();
    const servers = history.names.all.filter(({ kind }) => kind === 'server');
    expect(servers.map(({ server }) => server)).toEqual(['one']);
    expect(readState(history, path).oldestAt).toBeGreaterThanOrEqual(START - 15 * MINUTE_MS);
  });
});
