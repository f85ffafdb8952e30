import type { HistoryMetric, Series, SeriesReply } from '../../shared/history.ts';
import { noUse, type SpanUses, type SpanUse, usesOf } from '../charts/span-uses.ts';
import { stackUsage, type UsageStack } from '../overview/usage-stack.ts';

/** What all servers used of one figure over a span. */
export interface SpanUsage extends SpanUses {
  readonly stack: UsageStack;
  /** Uses of the bands, in their order. */
  readonly bands: readonly SpanUse[];
  /** Averages by step of every server, with a band of its own or not. */
  readonly figures: ReadonlyMap<string, readonly (number | undefined)[]>;
}

/** Servers with a band of their own: with the others they take as many colours as there are. */
const MOST_BANDS = 7;

/** Number of buckets of a span. */
const stepsOf = ({ from, to, stepMs }: Pick<SeriesReply, 'from' | 'to' | 'stepMs'>): number =>
  Math.max(1, Math.ceil((to - from) / stepMs));

/** Stack and figures of one metric of all servers. */
export function spanUsage(reply: SeriesReply, metric: HistoryMetric): SpanUsage {
  const steps = stepsOf(reply);
  const measured = reply.series
    .filter((series) => series.metric === metric && series.index.length > 0)
    .map((series) => ({ ...series, figures: heldFigures(series, steps, reply.stepMs) }));
  const stack = stackUsage(measured, steps, MOST_BANDS);
  const uses = usesOf(reply.totals ?? [], metric);
  const byServer = new Map(uses.servers.map((use) => [use.server, use]));
  const others = uses.servers.filter(({ server }) => !stack.bands.some((band) => band.server === server));
  return {
    ...uses,
    stack,
    bands: stack.bands.map(({ server }) =>
      server === undefined ? together(others) : (byServer.get(server) ?? noUse(server)),
    ),
    figures: new Map(measured.map(({ server, figures }) => [server, figures])),
  };
}

/** Peaks of several servers need not be at one time, so that those of some together are not known. */
const together = (uses: readonly SpanUse[]): SpanUse => ({
  ...noUse(undefined),
  average: uses.reduce((sum, { average }) => sum + (average ?? 0), 0),
  share: uses.reduce((sum, { share }) => sum + share, 0),
});

/** Slowest interval of the sampler and half of it, for a look that came late. */
const SLOW_LOOK_MS = 7500;

/**
 * Number of buckets from one with a figure to the next in which nothing ended: a sampler that looks every five seconds
 * leaves shorter buckets empty.
 */
const bridgedSteps = (stepMs: number): number => Math.max(1, Math.ceil(SLOW_LOOK_MS / stepMs));

/** Figures by step: averages, each held over the buckets that the sampler's pace leaves empty; undefined in a gap. */
function heldFigures(
  { index, avg }: Pick<Series, 'index' | 'avg'>,
  steps: number,
  stepMs: number,
): readonly (number | undefined)[] {
  const figures = new Array<number | undefined>(steps).fill(undefined);
  const reach = bridgedSteps(stepMs);
  index.forEach((step, position) => {
    const next = index[position + 1];
    const end = next !== undefined && next - step <= reach ? next : step + 1;
    figures.fill(avg[position], step, Math.min(end, steps));
  });
  return figures;
}

/** Figures that add up over servers. */
export const usageMetrics = ['memoryBytes', 'cpuPercent'] as const;
export type UsageMetric = (typeof usageMetrics)[number];
