import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TokenBucket } from '../../../../electron/core/gateway/http/limits.ts';

const rate = fc.record({
  burst: fc.integer({ min: 1, max: 50 }),
  perSecond: fc.integer({ min: 1, max: 500 }),
});
/** How far the clock moves before each request; backwards, too. */
const steps = fc.array(fc.integer({ min: -500, max: 2000 }), { maxLength: 200 });
/** Parts of a token are sums of fractions, so that one may come back a millisecond late. */
const ROUNDING_MS = 1;

describe('a token bucket', () => {
  it('lets a burst through at once, and one more for each part of a second that has passed', () => {
    const bucket = new TokenBucket({ burst: 3, perSecond: 4 }, 1000);
    expect([1, 2, 3, 4].map(() => bucket.take(1000))).toEqual([0, 0, 0, 250]);
    expect(bucket.take(1200)).toBe(50);
    expect(bucket.take(1250)).toBe(0);
    expect(bucket.take(1250)).toBe(250);
  });

  it('holds no more than a burst, however long nothing happens', () => {
    const bucket = new TokenBucket({ burst: 2, perSecond: 1000 }, 0);
    expect([1, 2, 3].map(() => bucket.take(3_600_000))).toEqual([0, 0, 1]);
  });

  it('neither gives nor takes anything for a clock that goes back, and goes on from there', () => {
    const bucket = new TokenBucket({ burst: 2, perSecond: 1 }, 3_600_000);
    expect([bucket.take(3_600_000), bucket.take(0), bucket.take(0)]).toEqual([0, 0, 1000]);
    expect(bucket.take(1000)).toBe(0);
  });

  it('lets through what its rate allows and no more, whatever the clock does', () => {
    fc.assert(
      fc.property(rate, steps, ({ burst, perSecond }, moves) => {
        const bucket = new TokenBucket({ burst, perSecond }, 0);
        let [nowMs, forwardMs, passed] = [0, 0, 0];
        for (const move of moves) {
          nowMs += move;
          forwardMs += Math.max(0, move);
          if (bucket.take(nowMs) === 0) passed += 1;
          expect(passed).toBeLessThanOrEqual(burst + (forwardMs / 1000) * perSecond + 1e-6);
        }
      }),
    );
  });

  it('tells a time after which it lets one through, and no longer one than a token takes', () => {
    fc.assert(
      fc.property(rate, steps, ({ burst, perSecond }, moves) => {
        const bucket = new TokenBucket({ burst, perSecond }, 0);
        let nowMs = 0;
        for (const move of moves) {
          const waitMs = bucket.take((nowMs += move));
          if (waitMs === 0) continue;
          expect(waitMs).toBeGreaterThan(0);
          expect(waitMs).toBeLessThanOrEqual(Math.ceil(1000 / perSecond));
          expect(bucket.take((nowMs += waitMs + ROUNDING_MS))).toBe(0);
        }
      }),
    );
  });
});
