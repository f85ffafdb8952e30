import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DurationHistogram } from '../../../../electron/core/telemetry/calls/call-book.ts';
import { propertyRuns } from '../../../support/property-runs.ts';

const STATED_PART = 0.025;
const STATED_MS = 0.1;

/** The nearest rank: the smallest duration that a part `quantile` of all does not exceed. */
function exactQuantileMs(durationsMs: readonly number[], quantile: number): number {
  const sorted = durationsMs.toSorted((a, b) => a - b);
  return sorted[Math.ceil(quantile * sorted.length) - 1]!;
}

function histogramOf(durationsMs: readonly number[]): DurationHistogram {
  const histogram = new DurationHistogram();
  for (const durationMs of durationsMs) histogram.add(durationMs);
  return histogram;
}

/** From a microsecond to a day, as many of each order of magnitude. */
const duration = fc.double({ min: -3, max: 7.9, noNaN: true }).map((exponent) => 10 ** exponent);
const durations = fc.array(fc.oneof(duration, fc.constant(0), fc.integer({ min: 0, max: 300 })), {
  minLength: 1,
  maxLength: 400,
});

describe('DurationHistogram', () => {
  it('gives quantiles that are right to 2.5 %, or to 0.1 ms', () => {
    fc.assert(
      fc.property(durations, fc.constantFrom(0.01, 0.5, 0.9, 0.95, 0.99, 1), (durationsMs, quantile) => {
        const exactMs = exactQuantileMs(durationsMs, quantile);
        const toldMs = histogramOf(durationsMs).quantileMs(quantile)!;
        const allowedMs = Math.max(STATED_MS, exactMs * STATED_PART) + 1e-9;
        expect(Math.abs(toldMs - exactMs), `${toldMs} for ${exactMs}`).toBeLessThanOrEqual(allowedMs);
      }),
      { numRuns: propertyRuns(500) },
    );
  });

  it('gives the longest exactly, and no quantile above it or below the shortest', () => {
    fc.assert(
      fc.property(durations, (durationsMs) => {
        const histogram = histogramOf(durationsMs);
        expect(histogram.mostMs).toBe(Math.max(...durationsMs));
        expect(histogram.count).toBe(durationsMs.length);
        const [p50Ms, p95Ms] = [histogram.quantileMs(0.5)!, histogram.quantileMs(0.95)!];
        expect(p50Ms).toBeGreaterThanOrEqual(Math.min(...durationsMs));
        expect(p95Ms).toBeGreaterThanOrEqual(p50Ms);
        expect(p95Ms).toBeLessThanOrEqual(histogram.mostMs);
      }),
    );
  });

  it('tells the longest of what took more than a day, and goes on counting', () => {
    const days = histogramOf([200_000_000, 300_000_000, 400_000_000]);
    expect(days.quantileMs(0.5)).toBe(400_000_000);
  });

  it('knows nothing before the first duration, and nothing after it was cleared', () => {
    const histogram = new DurationHistogram();
    expect(histogram.quantileMs(0.5)).toBeUndefined();
    histogram.add(5);
    histogram.clear();
    expect([histogram.quantileMs(0.5), histogram.count, histogram.mostMs]).toEqual([undefined, 0, 0]);
  });
});
