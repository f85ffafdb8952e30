import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SampleRing } from '../../../electron/core/telemetry/server-telemetry.ts';

describe('SampleRing', () => {
  it('keeps the order of taking when the clock was set back', () => {
    const ring = new SampleRing(10);
    for (const at of [5000, 100, 200]) ring.add({ at, processCount: 1 });
    expect(ring.since(150).map(({ at }) => at)).toEqual([5000, 200]);
  });

  it('gives back exactly the last samples, absent figures absent', () => {
    const figure = fc.option(fc.nat(), { nil: undefined });
    const anySample = fc.record(
      { at: fc.nat(), processCount: fc.nat(), memoryBytes: figure, cpuPercent: figure, openFiles: figure },
      { requiredKeys: ['at', 'processCount'] },
    );
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 300 }),
        fc.array(anySample, { maxLength: 500 }),
        (capacity, samples) => {
          const ring = new SampleRing(capacity);
          for (const one of samples) ring.add(one);
          const known = samples.map((one) => JSON.parse(JSON.stringify(one)) as unknown);
          expect(ring.since(0)).toEqual(known.slice(-capacity));
        },
      ),
    );
  });
});
