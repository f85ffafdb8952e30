import { describe, expect, it } from 'vitest';
import type { Sample } from '../../../shared/domain.ts';
import { aReply, aSeries } from '../builders.ts';
import { continued } from '../../../renderer/charts/use-series.ts';

const STEP_MS = 10_000;
const reply = aReply({
  ...{ to: 50_000, stepMs: STEP_MS, resolution: 'sample' },
  series: [aSeries('one', 'memoryBytes', [0, 2], [2, 2], { min: [1, 1], max: [3, 3] })],
});
const seen = (memoryBytes: number, ...times: readonly number[]): readonly Sample[] =>
  times.map((at) => ({ at, memoryBytes, processCount: 1 }));
const drawn = (samples: readonly Sample[], to = 50_000) => {
  const whole = continued(reply, { to }, (_, from) => samples.filter(({ at }) => at >= from));
  return whole.series.map(({ index, avg }) => index.map((bucket, place) => [bucket, avg[place]]));
};

describe('an answer that samples continue', () => {
  it('has its last bucket, which was filling, from the samples, and what they have beyond it', () => {
    expect(drawn(seen(8, 15_000, 20_000, 29_000, 31_000))).toEqual([
      [
        [0, 2],
        [2, 8],
        [3, 8],
      ],
    ]);
  });

  it('keeps its last bucket where the samples do not reach back to the beginning of it', () => {
    expect(drawn(seen(8, 26_000, 41_000))).toEqual([
      [
        [0, 2],
        [2, 2],
        [4, 8],
      ],
    ]);
  });

  it('reaches as far as what is shown, and no farther', () => {
    expect(drawn(seen(8, 65_000), 70_000)[0]).toContainEqual([6, 8]);
    expect(drawn(seen(8, 65_000))[0]).toHaveLength(2);
  });
});
