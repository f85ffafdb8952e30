import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HistoryFile } from '../../electron/core/store/file/history-file.ts';
import { openFile } from '../../electron/core/store/file/open-file.ts';
import { readPastEvents } from '../../electron/core/store/file/read-past-events.ts';
import { readSeries } from '../../electron/core/store/file/read-series.ts';
import { readTrend } from '../../electron/core/store/file/read-trend.ts';
import { patience } from '../support/patience.ts';
import { writeMonth, type Month } from '../fixtures/month/write-month.ts';
import { DAY_MS } from '../../shared/units.ts';

const NOW = Date.UTC(2026, 10, 24, 22, 7);
const OPTIONS = { now: NOW, servers: 9, failed: 1 };

describe('the generated month', () => {
  const folder = mkdtempSync(join(tmpdir(), 'month-'));
  let month: Month;
  let file: HistoryFile;
  beforeAll(async () => {
    month = await writeMonth({ ...OPTIONS, home: join(folder, 'home') });
    file = openFile(join(month.home, 'history.db'), NOW, (db) => new HistoryFile(db, NOW)).value;
  }, 60_000 * patience);
  afterAll(() => {
    file.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const all = () => ({ from: month.from, to: NOW });
  const timesOf = (server: string, kind: 'crashed' | 'stalled' | 'limit-breached' | 'gave-up') =>
    readPastEvents(file.db, { ...all(), server, kinds: [kind], limit: 1000 }).events.map(({ at }) => at);

  it('holds what its servers are there for', () => {
    const crashes = timesOf('browser', 'crashed');
    expect(crashes).toHaveLength(23);
    expect(crashes.filter((at) => at > NOW - 7 * DAY_MS)).toHaveLength(14);
    expect(crashes.filter((at) => at > NOW - DAY_MS)).toHaveLength(2);
    const nights = timesOf('nightly-backup', 'crashed');
    expect(nights).toHaveLength(28);
    expect(new Set(nights.map((at) => new Date(at).toTimeString().slice(0, 5)))).toEqual(new Set(['03:10']));
    expect(timesOf('search', 'limit-breached')).toHaveLength(25);
    expect(timesOf('github', 'stalled')).toHaveLength(7);
    expect(timesOf(month.failed[0] ?? '', 'gave-up')).toHaveLength(1);
  });

  it('shows a trend of the server that leaks, and of no other', () => {
    const limitBytes = 1024 ** 3;
    const at = NOW - 3 * DAY_MS;
    const trendOf = (server: string) => readTrend(file, { server, limitBytes }, at);
    const trended = month.servers.filter(({ name }) => trendOf(name) !== undefined);
    expect(trended.map(({ name }) => name)).toEqual(['atlassian']);
    const { perDayBytes = 0, since = 0, limitAt = 0, bestHour } = trendOf('atlassian') ?? {};
    expect(Math.round(perDayBytes / 1024 ** 2)).toBeCloseTo(90, -1);
    expect(Math.abs(since - (NOW - 11 * DAY_MS))).toBeLessThan(DAY_MS);
    expect(Math.abs(limitAt - NOW)).toBeLessThan(DAY_MS);
    expect(bestHour?.quietDays).toBeGreaterThan(0);
  });

  it('has the events in the journal as in the history', () => {
    const lines = readFileSync(join(month.home, 'logs', 'events.jsonl'), 'utf8')
      .trim()
      .split('\n');
    const { events } = readPastEvents(file.db, { ...all(), to: NOW + 1, limit: 1000 });
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(events);
  });

  it('is the same for the same options', async () => {
    const again = await writeMonth({ ...OPTIONS, home: join(folder, 'again') });
    const other = openFile(join(again.home, 'history.db'), NOW, (db) => new HistoryFile(db, NOW)).value;
    const query = { ...all(), servers: month.servers.map(({ name }) => name), maxBuckets: 500 };
    const metrics: ['memoryBytes', 'cpuPercent'] = ['memoryBytes', 'cpuPercent'];
    try {
      expect(readSeries(other, { ...query, metrics }, NOW)).toEqual(
        readSeries(file, { ...query, metrics }, NOW),
      );
    } finally {
      other.close();
    }
    for (const part of ['clients.json', 'logs/events.jsonl', 'servers.json'])
      expect(readFileSync(join(again.home, part), 'utf8')).toBe(readFileSync(join(month.home, part), 'utf8'));
  });
});
