import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SampleHistory, SampleRing } from '../../../electron/core/telemetry/server-telemetry.ts';

const sample = (at: number) => ({ at, processCount: 1 });

describe('SampleHistory', () => {
  it('gives the samples of one server from a moment on, oldest first', () => {
    const history = new SampleHistory();
    for (const at of [10, 20, 30]) history.add('a', sample(at));
    history.add('b', sample(25));
    expect(history.since('a', 20)).toEqual([sample(20), sample(30)]);
    expect(history.since('nobody', 0)).toEqual([]);
  });

  it('keeps an hour at one sample per second, and drops the oldest first', () => {
    const history = new SampleHistory();
    for (let at = 0; at < 4000; at += 1) history.add('a', sample(at));
    const kept = history.since('a', 0);
    expect([kept.length, kept[0]?.at, kept.at(-1)?.at]).toEqual([3600, 400, 3999]);
  });

  it('keeps the order of taking when the clock was set back', () => {
    const history = new SampleHistory();
    for (const at of [5000, 100, 200]) history.add('a', sample(at));
    expect(history.since('a', 150).map(({ at }) => at)).toEqual([5000, 200]);
  });

  it('forgets a server', () => {
    const history = new SampleHistory();
    history.add('a', sample(1));
    history.forget('a');
    expect(history.since('a', 0)).toEqual([]);
  });
});

describe('SampleRing', () => {
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
