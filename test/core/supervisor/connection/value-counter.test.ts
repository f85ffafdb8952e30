import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ValueCounter } from '../../../../electron/core/supervisor/connection/value-counter.ts';

/** Every value within lists and objects; an empty one counts as if it held one. */
function valuesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const parts = Object.values(value);
  return Math.max(1, parts.length) + parts.reduce<number>((sum, part) => sum + valuesIn(part), 0);
}

describe('ValueCounter', () => {
  it('counts the values of any JSON, however it is cut, and never what stands in texts', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), fc.integer({ min: 1, max: 9 }), (json, text, length) => {
        const value = [json, `${text},[{"\\`, json];
        const bytes = Buffer.from(JSON.stringify(value));
        const counter = new ValueCounter();
        for (let at = 0; at < bytes.length; at += length) counter.push(bytes.subarray(at, at + length));
        expect(counter.count).toBe(valuesIn(value));
      }),
    );
  });
});
