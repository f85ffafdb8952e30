import fc from 'fast-check';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SeriesReply } from '../../../shared/history.ts';
import type { HistoryFile } from '../../../electron/core/store/file/history-file.ts';
import { readCalls } from '../../../electron/core/store/file/read-calls.ts';
import { readSeries } from '../../../electron/core/store/file/read-series.ts';
import {
  batch,
  callAt,
  DAY_MS,
  eventAt,
  HOUR_MS,
  killed,
  look,
  MINUTE_MS,
  openHistory,
  START,
  type Measured,
} from './history-fixture.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { propertyRuns } from '../../support/property-runs.ts';

const MIB = 1024 ** 2;

/** What a test does to the history, a step at a time. */
type Step =
  | { readonly kind: 'look'; readonly afterMs: number; readonly mebibytes: readonly (number | undefined)[] }
  | { readonly kind: 'kill' }
  | { readonly kind: 'quit' };

const aLook = (afterMs: fc.Arbitrary<number>): fc.Arbitrary<Step> =>
  fc.record({
    kind: fc.constant('look' as const),
    afterMs,
    mebibytes: fc.array(fc.option(fc.nat({ max: 4000 }), { nil: undefined }), { minLength: 2, maxLength: 2 }),
  });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 20, arbitrary: aLook(fc.integer({ min: 1000, max: 90_000 })) },
  { weight: 3, arbitrary: aLook(fc.integer({ min: 10 * MINUTE_MS, max: 3 * HOUR_MS })) },
  // The clock is set back, by a little and by a lot, and forward.
  { weight: 2, arbitrary: aLook(fc.integer({ min: -2 * HOUR_MS, max: 0 })) },
  { weight: 2, arbitrary: fc.constant({ kind: 'kill' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'quit' as const }) },
);

interface Value {
  readonly at: number;
  readonly server: string;
  readonly mebibytes: number;
}

/** Does the steps to a history in a file. @returns it, and every value that it was given */
function play(start: string, steps: readonly Step[]): { history: HistoryFile; values: Value[]; now: number } {
  const values: Value[] = [];
  let path = start;
  let now = START;
  let history = openHistory(path, now);
  for (const one of steps) {
    if (one.kind !== 'look') {
      if (one.kind === 'kill') path = killed(history, path);
      else history.close();
      history = openHistory(path, now);
      continue;
    }
    now += one.afterMs;
    const samples = one.mebibytes.map((mebibytes, index): [string, Measured] => [
      `server-${index}`,
      mebibytes === undefined ? {} : { memoryBytes: mebibytes * MIB },
    ]);
    history.write(batch(now, { looks: [look(now, Object.fromEntries(samples))] }));
    for (const [index, mebibytes] of one.mebibytes.entries())
      if (mebibytes !== undefined) values.push({ at: now, server: `server-${index}`, mebibytes });
  }
  return { history, values, now };
}

/** The plain reference: every value in its bucket, by the time at which the record of it begins. */
function reckon(
  { from, to, stepMs }: SeriesReply,
  recordMs: number,
  values: readonly Value[],
  server: string,
) {
  const buckets = new Map<number, number[]>();
  for (const { at, mebibytes, server: of } of values) {
    const beginning = Math.floor(at / recordMs) * recordMs;
    if (of !== server || beginning < from || beginning >= to) continue;
    const index = Math.floor((beginning - from) / stepMs);
    buckets.set(index, [...(buckets.get(index) ?? []), mebibytes * MIB]);
  }
  const sorted = [...buckets].sort(([a], [b]) => a - b);
  return {
    index: sorted.map(([index]) => index),
    min: sorted.map(([, all]) => Math.min(...all)),
    avg: sorted.map(([, all]) => all.reduce((sum, one) => sum + one, 0) / all.length),
    max: sorted.map(([, all]) => Math.max(...all)),
  };
}

const RECORD_MS = { sample: 1, minute: MINUTE_MS, 'quarter-hour': 15 * MINUTE_MS } as const;

describe('the figures of the history', () => {
  it('are those that a plain reckoning of all samples gives, over kills, quits and clocks that are set, at each resolution', () => {
    const folder = tempFolder();
    let run = 0;
    const spans = fc.array(
      fc.record({
        beforeMs: fc.oneof(fc.nat({ max: HOUR_MS }), fc.nat({ max: 9 * DAY_MS })),
        lengthMs: fc.oneof(fc.integer({ min: 1, max: 2 * HOUR_MS }), fc.integer({ min: 1, max: 9 * DAY_MS })),
        maxBuckets: fc.integer({ min: 1, max: 500 }),
      }),
      { minLength: 1, maxLength: 5 },
    );
    const resolutions = new Set<string>();
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), spans, (steps, wanted) => {
        const { history, values, now } = play(join(folder, `${(run += 1)}.db`), steps);
        for (const { beforeMs, lengthMs, maxBuckets } of wanted) {
          const from = now - beforeMs;
          const query = { from, to: from + lengthMs, servers: ['server-0', 'server-1'], maxBuckets };
          const reply = readSeries(history, { ...query, metrics: ['memoryBytes'] }, now);
          resolutions.add(reply.resolution);
          for (const { server, index, min, avg, max } of reply.series) {
            const plain = reckon(reply, RECORD_MS[reply.resolution], values, server);
            expect({ index, min, max }).toEqual({ index: plain.index, min: plain.min, max: plain.max });
            for (const [place, one] of avg.entries()) expect(one).toBeCloseTo(plain.avg[place]!, 3);
          }
        }
        history.close();
      }),
      { numRuns: propertyRuns(60) },
    );
    expect([...resolutions].sort()).toEqual(['minute', 'quarter-hour', 'sample']);
  });

  it('have nothing twice of a batch that the disk did not take at first, and nothing less', () => {
    const path = join(tempFolder(), 'history.db');
    const history = openHistory(path);
    const at = (minutes: number) => START + minutes * MINUTE_MS;
    const measured = (mebibytes: number) => ({ memoryBytes: mebibytes * MIB });
    history.write(batch(at(0), { looks: [look(at(0), { one: measured(1) })] }));
    // The first minutes are merged into the file, and a name is entered, before an event finds no room.
    const looks = [look(at(6), { one: measured(3) }), look(at(7), { one: measured(1), two: measured(2) })];
    const events = [eventAt(START, 1, { detail: { text: 'x'.repeat(100_000) } })];
    history.db.exec('PRAGMA max_page_count = 1');
    expect(() => history.write(batch(at(7), { looks, events }))).toThrow(/full/);
    history.db.exec('PRAGMA max_page_count = 1000000');
    history.write(batch(at(7), { looks, events }));
    history.close();

    const after = openHistory(path);
    const found = (now: number, maxBuckets: number) => {
      const query = { from: START, to: at(60), servers: ['one', 'two'], maxBuckets };
      return readSeries(after, { ...query, metrics: ['memoryBytes'] }, now).series.map(({ index, avg }) =>
        index.map((place, order) => [place, avg[order]! / MIB]),
      );
    };
    expect(found(START + 2 * HOUR_MS, 60)).toEqual([
      [
        [0, 1],
        [6, 3],
        [7, 1],
      ],
      [[7, 2]],
    ]);
    expect(found(START + 10 * DAY_MS, 4)).toEqual([[[0, expect.closeTo(5 / 3, 9)]], [[0, 2]]]);
  });

  it('have the newest second in them, at each resolution', () => {
    const history = openHistory();
    history.write(batch(START, { looks: [look(START, { one: { memoryBytes: 5 * MIB } })] }));
    for (const lengthMs of [MINUTE_MS, DAY_MS, 80 * DAY_MS]) {
      const query = { from: START - lengthMs, to: START + 1000, servers: ['one'], maxBuckets: 300 };
      const { series } = readSeries(history, { ...query, metrics: ['memoryBytes'] }, START);
      expect(series[0]!.max).toEqual([5 * MIB]);
    }
  });

  it('are told of others on demand, such as servers that were removed, where they have any in the span', () => {
    const history = openHistory();
    const used = { memoryBytes: MIB };
    history.write(batch(START, { looks: [look(START, { one: used, removed: used })] }));
    const later = START + HOUR_MS;
    history.write(batch(later, { looks: [look(later, { one: used, late: used })] }));
    const query = { from: START, to: START + MINUTE_MS, servers: ['one', 'unknown'], maxBuckets: 10 };
    const servers = (withOthers: boolean) =>
      readSeries(history, { ...query, metrics: ['memoryBytes'], withOthers }, later).series.map(
        ({ server, index }) => [server, index.length],
      );
    expect(servers(false)).toEqual([
      ['one', 1],
      ['unknown', 0],
    ]);
    expect(servers(true)).toEqual([
      ['one', 1],
      ['unknown', 0],
      ['removed', 1],
    ]);
  });

  it('are kept in KiB, tenths of a percent and tenths of a millisecond, and a figure that is none is left out', () => {
    const history = openHistory();
    const measured = { memoryBytes: 1025, cpuPercent: 12.34, openFiles: 7, processCount: 0, rttMs: 0.26 };
    history.write(
      batch(START, { looks: [look(START, { one: measured, two: { cpuPercent: -1, openFiles: Infinity } })] }),
    );
    const { series } = readSeries(
      history,
      {
        from: START,
        to: START + 1000,
        servers: ['one', 'two'],
        metrics: ['memoryBytes', 'cpuPercent', 'openFiles', 'processCount', 'rttMs'],
        maxBuckets: 10,
      },
      START,
    );
    expect(series.map(({ avg }) => avg)).toEqual([[1024], [12.3], [7], [0], [0.3], [], [], [], [], []]);
  });
});

describe('the calls of the history', () => {
  it('add up over servers, stand apart for each client, who is counted once in all, and come through a kill', () => {
    let path = join(tempFolder(), 'history.db');
    const figures = { calls: 3, errors: 1, timed: 2, minMs: 1, sumMs: 4, maxMs: 3 };
    const calls = { at: START, server: 'one', client: 'a', ...figures };
    let history = openHistory(path);
    const seen = { ...calls, client: undefined };
    history.write(batch(START, { calls: [calls, seen, { ...seen, server: 'two', timed: 0 }] }));
    path = killed(history, path);
    history = openHistory(path);
    const at = START + MINUTE_MS;
    history.write(batch(at, { calls: [calls, seen].map((one) => ({ ...one, at })) }));
    const query = { from: START, to: START + HOUR_MS, maxBuckets: 60 };
    const found = (parts: object) => readCalls(history, { ...query, ...parts }, START + MINUTE_MS).buckets;
    const timed = { calls: 3, errors: 1, averageMs: 2, maxMs: 3 };
    expect(found({})).toEqual([
      { ...timed, index: 0, calls: 6, errors: 2 },
      { ...timed, index: 1 },
    ]);
    expect(found({ server: 'two' })).toEqual([{ index: 0, calls: 3, errors: 1 }]);
    expect(readCalls(history, { ...query, eachOf: ['two', 'none'] }, START + MINUTE_MS).servers).toEqual([
      { server: 'two', buckets: [{ index: 0, calls: 3, errors: 1 }] },
      { server: 'none', buckets: [] },
    ]);
    expect(found({ client: 'a' })).toEqual([
      { ...timed, index: 0 },
      { ...timed, index: 1 },
    ]);
    expect(found({ server: 'three' })).toEqual([]);
  });

  it('that end between two looks are counted once each in their minute, over roll-ups and kills', () => {
    let path = join(tempFolder(), 'history.db');
    let history = openHistory(path);
    // The hand-over is not in step with looks or minutes, and now and then the panel is killed.
    const handOver = 700;
    const count = Math.floor((40 * MINUTE_MS) / handOver);
    for (let index = 0; index < count; index += 1) {
      const at = START + index * handOver;
      const looks = index % 7 === 3 ? [look(at, { one: { memoryBytes: MIB } })] : [];
      history.write(batch(at, { looks, calls: [callAt(at - 600), callAt(at)] }));
      if (index % 500 !== 499) continue;
      path = killed(history, path);
      history = openHistory(path, at);
    }
    const now = START + 40 * MINUTE_MS;
    const query = { from: START - MINUTE_MS, to: now, maxBuckets: 60 };
    const expected = new Map<number, number>();
    for (let index = 0; index < count; index += 1)
      for (const at of [index * handOver - 600, index * handOver]) {
        const minute = Math.floor(at / MINUTE_MS) + 1;
        expected.set(minute, (expected.get(minute) ?? 0) + 1);
      }
    const found = readCalls(history, query, now).buckets;
    expect(found.map(({ index, calls }) => [index, calls])).toEqual([...expected].sort(([a], [b]) => a - b));
    expect(found.every(({ averageMs }) => averageMs === 1)).toBe(true);
  });
});
