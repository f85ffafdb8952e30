import { describe, expect, it } from 'vitest';
import { gapsOf, peakOf } from '../../../renderer/charts/downsample.ts';
import { aSample, anEvent } from '../builders.ts';
import { sampleRows } from './sample-rows.ts';

const window = { from: 0, to: 120_000 };
const series = (from: number, to: number) =>
  Array.from({ length: (to - from) / 1000 + 1 }, (_, index) =>
    aSample(from + index * 1000, { memoryBytes: from + index * 1000 }),
  );

describe('peakOf', () => {
  const { rows } = sampleRows([...series(0, 3000), ...series(60_000, 61_000)], 'memoryBytes', window, 1000);

  it('finds no peak below a figure that is newer than the curve', () => {
    expect(peakOf(rows, 70_000)).toBe(70_000);
    expect(peakOf(rows, 1)).toBe(61_000);
    expect(peakOf([], 1)).toBe(1);
  });
});

describe('an absence', () => {
  const asleep = anEvent('1', { kind: 'system-resumed', at: 8000, detail: { sleptMs: 3000 } });
  const off = anEvent('2', { kind: 'panel-started', at: 100_000, detail: { absentMs: 40_000 } });
  const brokenAt = (samples: ReturnType<typeof series>, isSparse: boolean) =>
    sampleRows(samples, 'memoryBytes', window, 1000, { absences: gapsOf([asleep, off]), isSparse })
      .rows.filter((row) => row.average === null)
      .map(({ at }) => at);

  it('is as long as the event that ends it says, or none', () => {
    const unknown = anEvent('3', { kind: 'system-resumed', at: 9000 });
    expect(gapsOf([asleep, unknown, anEvent('4'), off])).toEqual([
      { from: 5000, to: 8000, reason: 'asleep' },
      { from: 60_000, to: 100_000, reason: 'not-running' },
    ]);
  });

  it('is a gap in a curve however short it was', () => {
    expect(brokenAt([...series(0, 5000), ...series(8000, 12_000)], false)).toEqual([7000]);
    expect(brokenAt(series(8000, 12_000), false)).toEqual([]);
  });

  it('is the only gap in a curve that is measured now and then', () => {
    const answers = [aSample(0), aSample(4000), aSample(10_000), aSample(50_000), aSample(119_000)];
    expect(brokenAt(answers, true)).toEqual([7500, 85_000]);
  });
});
