import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineRing } from '../../../electron/core/journal/line-ring.ts';

describe('the ring of lines', () => {
  it('keeps the newest, apart by the eras in which they came, and knows the last that went', () => {
    const steps = fc.array(fc.boolean(), { maxLength: 60, size: 'max' });
    fc.assert(
      fc.property(steps, (isSetBack) => {
        const ring = new LineRing({ maxLines: 8, maxBytes: Infinity, sizeOf: () => 0 });
        let era = 0;
        const all = isSetBack.map((isSet, atUs) => ({ atUs, era: isSet ? (era += 1) : era }));
        for (const line of all) ring.add(line);
        const { runs, droppedUs, droppedEra } = ring.inMemory();
        expect(runs.flatMap(({ lines }) => lines)).toEqual(ring.lines);
        expect(all.slice(droppedUs + 1)).toEqual(ring.lines);
        expect(droppedEra).toBe(all[droppedUs]?.era ?? 0);
        for (const run of runs)
          expect(new Set(run.lines.map((line) => line.era))).toEqual(new Set([run.era]));
        expect(new Set(runs.map((run) => run.era)).size).toBe(runs.length);
      }),
    );
  });
});
