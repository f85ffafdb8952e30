import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Sample } from '../../../shared/domain.ts';
import type { EventDetail, EventKind } from '../../../shared/events.ts';
import { withStubs, type ChartRow } from '../../../renderer/charts/downsample.ts';
import { seriesOfSamples } from '../../../shared/buckets.ts';
import { endsIn, processEndsOf, runEndsOf } from '../../../renderer/charts/run-ends.ts';
import { anEvent, aReply, aSample } from '../builders.ts';
import { sampleRows } from './sample-rows.ts';

const window = { from: 0, to: 3_600_000 };
const firstLook = (at: number, memoryBytes = 100): Sample => ({ at, memoryBytes, processCount: 1 });
const rowsOf = (samples: readonly Sample[], ends: readonly number[], bucketMs = 1000) =>
  sampleRows(samples, 'memoryBytes', window, bucketMs, { ends }).rows;
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

describe('endsIn', () => {
  it('finds what events tell, and the same of processes in buckets of single looks', () => {
    const samples = [firstLook(0), aSample(1000), aSample(2000), firstLook(3000), aSample(4000)];
    const span = { from: 0, to: 10_000, stepMs: 1000 };
    const series = (['memoryBytes', 'cpuPercent'] as const).map((metric) =>
      seriesOfSamples('one', metric, samples, span),
    );
    const reply = aReply({ ...span, resolution: 'sample', series });
    const restart = anEvent('1', { at: 9000, server: 'one', kind: 'crashed' });
    expect(endsIn(reply, 'one', [restart])).toEqual([9000, 2000]);
    expect(endsIn(reply, 'other', [restart])).toEqual([]);
  });
});

describe('the end of a run', () => {
  it('is a gap in the curve however soon the next run begins', () => {
    const samples = [aSample(0), aSample(1000, { memoryBytes: 199 }), aSample(2000, { memoryBytes: 51 })];
    expect(averages(rowsOf(samples, [1400]))).toEqual([100, 199, null, 51]);
  });

  it('counts a sample of the same instant to the run that ends', () => {
    const samples = [aSample(0), aSample(1000), aSample(2000)];
    expect(averages(rowsOf(samples, [1000]))).toEqual([100, 100, null, 100]);
  });

  it('never lets a curve pass from one bucket to another, wherever ends and samples lie', () => {
    const instants = fc.uniqueArray(fc.integer({ min: 0, max: 60_000 }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(instants, instants, fc.constantFrom(1000, 2000, 10_000), (times, ends, bucketMs) => {
        const samples = times.toSorted((a, b) => a - b).map((at) => aSample(at));
        const rows = rowsOf(samples, ends, bucketMs);
        const bucketOf = (at: number) => Math.floor(at / bucketMs);
        rows.forEach(({ at, average }, index) => {
          const after = rows[index + 1];
          if (average === null || after === undefined || after.average === null) return;
          const [first, last] = [bucketOf(at), bucketOf(after.at)];
          expect(ends.some((end) => bucketOf(end) >= first && bucketOf(end) < last)).toBe(false);
        });
      }),
    );
  });
});

const rowAt = (at: number) => ({ at, average: 1, least: 1, most: 1 });
const gapAt = (at: number) => ({ at, average: null, least: null, most: null });

describe('withStubs', () => {
  it('gives a lonely row the width of its bucket, and others none', () => {
    const rows = [rowAt(0), rowAt(1000), gapAt(5000), rowAt(9000), gapAt(12_000), rowAt(15_000)];
    expect(withStubs(rows, 1000, { from: 0, to: 20_000 }).map(({ at }) => at)).toEqual([
      0, 1000, 5000, 8500, 9500, 12_000, 14_500, 15_500,
    ]);
  });

  it('draws nothing beside the plot', () => {
    const times = withStubs([rowAt(1000)], 60_000, { from: 0, to: 2000 }).map(({ at }) => at);
    expect(times).toEqual([0, 2000]);
  });

  it('never lets time run backwards', () => {
    const rows = [rowAt(1000), gapAt(1150), rowAt(1300), gapAt(1400), rowAt(1500)];
    const times = withStubs(rows, 10_000, { from: -20_000, to: 20_000 }).map(({ at }) => at);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(times.length).toBe(8);
  });
});
