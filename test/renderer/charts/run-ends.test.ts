import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Sample } from '../../../shared/domain.ts';
import type { EventDetail, EventKind } from '../../../shared/events.ts';
import { toChartRows, withStubs, type ChartRow } from '../../../renderer/charts/downsample.ts';
import { processEndsOf, runEndsOf } from '../../../renderer/charts/run-ends.ts';
import { aSample, anEvent } from '../builders.ts';

const window = { from: 0, to: 3_600_000 };
const memory = ({ memoryBytes }: Sample) => memoryBytes;
const firstLook = (at: number, memoryBytes = 100): Sample => ({ at, memoryBytes, processCount: 1 });
const rowsOf = (samples: readonly Sample[], ends: readonly number[], bucketMs = 1000) =>
  toChartRows(samples, memory, window, bucketMs, { absences: [], ends, isSparse: false }).rows;
const averages = (rows: readonly ChartRow[]) => rows.map(({ average }) => average);

describe('runEndsOf', () => {
  const endsBy = <K extends EventKind>(kind: K, detail: EventDetail<K> = {}) =>
    runEndsOf([anEvent('1', { at: 7, kind, detail })]);

  it.each(['crashed', 'stopped', 'start-failed', 'restart-scheduled', 'gave-up'] as const)(
    'ends a run with %s',
    (kind) => expect(endsBy(kind)).toEqual([7]),
  );

  it.each(['stalled', 'suspect', 'limit-breached', 'started', 'restarted', 'config-changed'] as const)(
    'ends none with %s, which leaves the process',
    (kind) => expect(endsBy(kind)).toEqual([]),
  );

  it('leaves further instances aside: the curve is the sum of all', () => {
    expect(endsBy('crashed', { instance: 'memory#2' })).toEqual([]);
  });
});

describe('processEndsOf', () => {
  it('finds the last look before each first look at another process', () => {
    const samples = [firstLook(0), aSample(1000), aSample(2000), firstLook(3000), aSample(4000)];
    expect(processEndsOf(samples)).toEqual([2000]);
  });

  it('finds none where CPU cannot be read, or where there are no processes', () => {
    expect(processEndsOf([firstLook(0), firstLook(1000), firstLook(2000)])).toEqual([]);
    expect(processEndsOf([0, 1000].map((at) => ({ at, rttMs: 3, processCount: 0 })))).toEqual([]);
  });
});

describe('the end of a run', () => {
  it('is a gap in the curve however soon the next run begins', () => {
    const samples = [aSample(0), aSample(1000, { memoryBytes: 199 }), aSample(2000, { memoryBytes: 51 })];
    expect(averages(rowsOf(samples, [1400]))).toEqual([100, 199, null, 51]);
  });

  it('closes the row, so that none is made of two processes', () => {
    const samples = [aSample(1000, { memoryBytes: 199 }), aSample(2000, { memoryBytes: 51 })];
    expect(rowsOf(samples, [1400], 10_000)).toEqual([
      { at: 1000, average: 199, least: 199, most: 199 },
      { at: 1500, average: null, least: null, most: null },
      { at: 2000, average: 51, least: 51, most: 51 },
    ]);
  });

  it('counts a sample of the same instant to the run that ends', () => {
    const samples = [aSample(0), aSample(1000), aSample(2000)];
    expect(averages(rowsOf(samples, [1000]))).toEqual([100, 100, null, 100]);
  });

  it('never lets a curve or a row pass, wherever ends and samples lie', () => {
    const instants = fc.uniqueArray(fc.integer({ min: 0, max: 60_000 }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(instants, instants, fc.constantFrom(1000, 2000, 10_000), (times, ends, bucketMs) => {
        const sorted = times.toSorted((a, b) => a - b);
        const runOf = (at: number) => ends.filter((end) => end < at).length;
        // Memory tells the run, so that a row of two runs has two figures in it.
        const samples = sorted.map((at) => aSample(at, { memoryBytes: runOf(at) }));
        const rows = rowsOf(samples, ends, bucketMs);
        rows.forEach(({ least, most, average }, index) => {
          expect(most).toBe(least);
          const after = rows[index + 1]?.average ?? null;
          if (average !== null && after !== null) expect(after).toBe(average);
        });
        const shown = new Set(averages(rows).filter((figure) => figure !== null));
        expect(shown).toEqual(new Set(sorted.map(runOf)));
      }),
    );
  });
});

describe('withStubs', () => {
  it('gives a lonely row the width of its bucket, and others none', () => {
    const rows = rowsOf([aSample(0), aSample(1000), aSample(9000), aSample(15_000)], [1000, 9000]);
    expect(withStubs(rows, 1000, { from: 0, to: 20_000 }).map(({ at }) => at)).toEqual([
      0, 1000, 5000, 8500, 9500, 12_000, 14_500, 15_500,
    ]);
  });

  it('draws nothing beside the plot', () => {
    const times = withStubs(rowsOf([aSample(1000)], []), 60_000, { from: 0, to: 2000 }).map(({ at }) => at);
    expect(times).toEqual([0, 2000]);
  });

  it('never lets time run backwards', () => {
    const samples = [aSample(1000), aSample(1300), aSample(1500)];
    const rows = rowsOf(samples, [1000, 1300], 10_000);
    const times = withStubs(rows, 10_000, { from: -20_000, to: 20_000 }).map(({ at }) => at);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(times.length).toBe(8);
  });
});
