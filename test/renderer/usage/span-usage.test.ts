import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Series, SeriesReply } from '../../../shared/history.ts';
import { aReply, aSeries } from '../builders.ts';
import { withTotals } from '../with-totals.ts';
import { spanUsage } from '../../../renderer/usage/span-usage.ts';

const MINUTE = 60_000;

/** Memory of one server: its averages by bucket, and none where undefined. Peaks are twice as high. */
function memoryOf(server: string, averages: readonly (number | undefined)[]): Series {
  const known = averages.flatMap((avg, index) => (avg === undefined ? [] : [{ index, avg }]));
  const avg = known.map((one) => one.avg);
  const index = known.map((one) => one.index);
  return aSeries(server, 'memoryBytes', index, avg, { max: avg.map((figure) => figure * 2) });
}

const replyOf = (steps: number, series: readonly Series[]): SeriesReply =>
  withTotals(aReply({ to: steps * MINUTE, series: [...series] }));

describe('spanUsage', () => {
  it('tells average, peak and share of each server, the largest share first', () => {
    const reply = replyOf(4, [memoryOf('small', [10, 10, 10, 10]), memoryOf('large', [20, 40, 40, 20])]);
    expect(spanUsage(reply, 'memoryBytes').servers).toEqual([
      { server: 'large', average: 30, whileRunning: 30, peak: 80, share: 0.75 },
      { server: 'small', average: 10, whileRunning: 10, peak: 20, share: 0.25 },
    ]);
  });

  it('tells the average of a server over the whole span, and that of the time it ran beside it', () => {
    const reply = replyOf(4, [
      memoryOf('always', [10, 10, 10, 10]),
      memoryOf('once', [40, undefined, undefined, undefined]),
    ]);
    const { servers, total } = spanUsage(reply, 'memoryBytes');
    expect(servers).toContainEqual({ server: 'once', average: 10, whileRunning: 40, peak: 80, share: 0.5 });
    // Peaks of several servers need not be at one time: the total has the highest of one, and what the others used then.
    expect(total).toEqual({ server: undefined, average: 20, whileRunning: undefined, peak: 90, share: 1 });
  });

  it('has a gap where nothing was measured, and leaves other metrics alone', () => {
    const reply = replyOf(3, [
      memoryOf('a', [1, undefined, 1]),
      { ...memoryOf('a', [5, 5, 5]), metric: 'cpuPercent' },
    ]);
    expect(spanUsage(reply, 'memoryBytes').stack.isKnown).toEqual([true, false, true]);
    expect(spanUsage(reply, 'openFiles')).toMatchObject({
      servers: [],
      bands: [],
      total: { server: undefined, share: 0 },
    });
  });

  it('holds a figure over the buckets that a sampler leaves empty which looks every five seconds', () => {
    const every5s = memoryOf(
      'a',
      Array.from({ length: 21 }, (_, second) => (second % 5 === 0 ? 8 : undefined)),
    );
    const reply = { ...replyOf(1, [every5s]), to: 30_000, stepMs: 1000 };
    const { stack } = spanUsage(reply, 'memoryBytes');
    expect(stack.isKnown).toEqual(Array.from({ length: 30 }, (_, second) => second <= 20));
    expect(stack.bands[0]?.figures.slice(0, 21)).toEqual(Array.from({ length: 21 }, () => 8));
  });

  it('adds up to the whole, whatever the servers are: seven bands, and the others', () => {
    const averages = fc.array(fc.option(fc.nat(1000), { nil: undefined }), { minLength: 4, maxLength: 4 });
    fc.assert(
      fc.property(fc.array(averages, { maxLength: 30 }), (all) => {
        fc.pre(all.some((one) => one.some((figure) => figure !== undefined)));
        const reply = replyOf(
          4,
          all.map((one, index) => memoryOf(`s${index}`, one)),
        );
        const { stack, bands, servers, total } = spanUsage(reply, 'memoryBytes');
        expect(stack.bands.length).toBeLessThanOrEqual(8);
        expect(bands.map(({ server }) => server)).toEqual(stack.bands.map(({ server }) => server));
        const sum = all.flat().reduce<number>((whole, figure) => whole + (figure ?? 0), 0);
        const whole = sum > 0 ? 1 : 0;
        for (const uses of [bands, servers])
          expect(uses.reduce((shares, { share }) => shares + share, 0)).toBeCloseTo(whole);
        expect(total.share).toBe(whole);
        const own = servers.reduce((together, { average }) => together + (average ?? 0), 0);
        expect(total.average).toBeCloseTo(own);
        for (const { peak } of servers) expect(total.peak).toBeGreaterThanOrEqual(peak ?? 0);
      }),
    );
  });
});
