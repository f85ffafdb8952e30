import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Buckets, bucketSpan } from '../../shared/buckets.ts';
import { MINUTE_MS } from '../../shared/units.ts';
const YEAR_MS = 365 * 24 * 60 * MINUTE_MS;
const START = 1_800_000_000_000;

const span = fc
  .record({
    from: fc.integer({ min: 0, max: START }),
    lengthMs: fc.oneof(fc.integer({ min: 0, max: 3_600_000 }), fc.integer({ min: 0, max: 2 * YEAR_MS })),
    maxBuckets: fc.integer({ min: 1, max: 2000 }),
    leastMs: fc.constantFrom(1000, MINUTE_MS, 15 * MINUTE_MS),
  })
  .map(({ from, lengthMs, ...rest }) => ({ from, to: from + lengthMs, ...rest }));

describe('the buckets of a span', () => {
  it('are no more than wanted, no shorter than allowed, and begin at a multiple of their length', () => {
    fc.assert(
      fc.property(span, ({ from, to, maxBuckets, leastMs }) => {
        const found = bucketSpan({ from, to }, maxBuckets, leastMs);
        expect(Math.ceil((found.to - found.from) / found.stepMs)).toBeLessThanOrEqual(maxBuckets);
        expect(found.stepMs).toBeGreaterThanOrEqual(leastMs);
        expect(found.stepMs % leastMs).toBe(0);
        expect(found.from % found.stepMs).toBe(0);
        expect(found.from).toBeLessThanOrEqual(from);
        expect(found.to).toBe(to);
      }),
    );
  });

  it('hold what a plain reckoning of all values in them gives, in whatever order and parts they came', () => {
    const value = fc.record({
      at: fc.integer({ min: -5000, max: 65_000 }),
      value: fc.integer({ min: 0, max: 99 }),
    });
    fc.assert(
      fc.property(fc.array(value), fc.integer({ min: 1, max: 30 }), (values, maxBuckets) => {
        const found = bucketSpan({ from: 0, to: MINUTE_MS }, maxBuckets, 1000);
        const buckets = new Buckets(found);
        // Every other value comes as a pair with its neighbour of the same time, as a roll-up would.
        for (const { at, value: one } of values) {
          buckets.add(at, 1, one, one, one);
          buckets.add(at, 2, one, one + 100, 100);
        }
        const plain = new Map<number, number[]>();
        for (const { at, value: one } of values) {
          if (at < 0 || at >= MINUTE_MS) continue;
          const index = Math.floor(at / found.stepMs);
          plain.set(index, [...(plain.get(index) ?? []), one, one, 100]);
        }
        expect(buckets.filled).toEqual(
          [...plain]
            .sort(([a], [b]) => a - b)
            .map(([index, all]) => ({
              index,
              count: all.length,
              min: Math.min(...all),
              sum: all.reduce((sum, one) => sum + one, 0),
              max: Math.max(...all),
            })),
        );
      }),
    );
  });
});
