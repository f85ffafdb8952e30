import type { HistoryMetric, Span, SpanTotal } from './history.ts';

/** Values measured in one step of the time span. */
interface Step {
  readonly index: number;
  readonly count: number;
  readonly sum: number;
  readonly max: number;
}

/** Measured steps of one figure of one server. */
export interface MeasuredSteps {
  readonly server: string;
  readonly metric: HistoryMetric;
  readonly steps: readonly Step[];
  /** Converts a stored figure to the unit of the metric. */
  readonly inUnit: (kept: number) => number;
}

interface StepFrame {
  /** Start of the first step. */
  readonly from: number;
  readonly stepMs: number;
  /** Number of samples in each step. If a step is missing, the number of the server with the most samples is used. */
  readonly looks: ReadonlyMap<number, number>;
  /** Time spans in which the panel ran; they do not overlap. */
  readonly presence: readonly Span[];
}

/** Sums over the steps of one figure. Each step is weighted by the duration that it represents. */
interface Sums {
  used: number;
  ranMs: number;
  peak: number;
}

/**
 * Returns the totals of figures over a time span. Samples are one second apart while a user watches and five seconds apart
 * otherwise. Therefore steps are weighted by their duration, and samples within a step are weighted equally. A round trip is
 * measured only occasionally and is never 0, so its average covers only the time in which it was known.
 */
export function spanTotals(measured: readonly MeasuredSteps[], frame: StepFrame): readonly SpanTotal[] {
  const looks = looksOf(measured, frame.looks);
  const presentMs = new Map<number, number>();
  const msOf = (step: number): number => {
    const known = presentMs.get(step) ?? overlapMs(frame, step);
    presentMs.set(step, known);
    return known;
  };
  const observedMs = frame.presence.reduce((sum, { from, to }) => sum + to - from, 0);
  return [...new Set(measured.map(({ metric }) => metric))].flatMap((metric) => {
    const all = new Map<number, { used: number; above: number }>();
    const own = measured
      .filter((one) => one.metric === metric && one.steps.length > 0)
      .map(({ server, steps, inUnit }): SpanTotal => {
        const sums: Sums = { used: 0, ranMs: 0, peak: 0 };
        for (const { index, count, sum, max } of steps) {
          const part = Math.max(count, looks.get(index) ?? 0);
          const mean = inUnit(sum) / part;
          sums.used += mean * msOf(index);
          sums.ranMs += (count / part) * msOf(index);
          sums.peak = Math.max(sums.peak, inUnit(max));
          const together = all.get(index) ?? { used: 0, above: 0 };
          const above = Math.max(together.above, inUnit(max) - mean);
          all.set(index, { used: together.used + mean, above });
        }
        const whileRunning = sums.ranMs === 0 ? 0 : sums.used / sums.ranMs;
        const average = metric === 'rttMs' || observedMs === 0 ? whileRunning : sums.used / observedMs;
        return { server, metric, average, whileRunning, peak: sums.peak };
      });
    if (own.length === 0) return [];
    const average = own.reduce((sum, total) => sum + total.average, 0);
    const peak = [...all.values()].reduce((highest, { used, above }) => Math.max(highest, used + above), 0);
    return [...own, { server: null, metric, average, peak }];
  });
}

/** Fills in numbers of samples that earlier versions did not write. Assumes that the server with the most samples has all. */
function looksOf(
  measured: readonly MeasuredSteps[],
  counted: ReadonlyMap<number, number>,
): ReadonlyMap<number, number> {
  const looks = new Map(counted);
  for (const { steps, metric } of measured)
    if (metric !== 'rttMs')
      for (const { index, count } of steps)
        if (!counted.has(index)) looks.set(index, Math.max(looks.get(index) ?? 0, count));
  return looks;
}

function overlapMs({ from, stepMs, presence }: StepFrame, step: number): number {
  const [begin, end] = [from + step * stepMs, from + (step + 1) * stepMs];
  return presence.reduce(
    (sum, span) => sum + Math.max(0, Math.min(end, span.to) - Math.max(begin, span.from)),
    0,
  );
}
