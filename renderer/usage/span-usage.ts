import type { HistoryMetric, Series, SeriesReply } from '../../shared/history.ts';
import { noUse, type SpanUse, type SpanUses, usesOf } from '../charts/span-table.tsx';
import { stackUsage, type UsageStack } from '../overview/usage-stack.ts';

/** Use of one metric by all servers over a span. */
export interface SpanUsage extends SpanUses {
  readonly stack: UsageStack;
  /** Average, peak and share of each band of the stack, in the order of the bands. */
  readonly bands: readonly SpanUse[];
  /** Averages by bucket for every server, including servers that share the band "Others". */
  readonly figures: ReadonlyMap<string, readonly (number | undefined)[]>;
}

/**
 * Maximum number of servers with a band of their own in the stacked chart. The remaining servers share one more band, so that
 * there are as many bands as colours.
 */
const MOST_BANDS = 7;

/** Number of buckets of a span. */
const stepsOf = ({ from, to, stepMs }: Pick<SeriesReply, 'from' | 'to' | 'stepMs'>): number =>
  Math.max(1, Math.ceil((to - from) / stepMs));

/** Stack and values of one metric for all servers. */
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

/** Use by several servers together. It has no peak, because the servers' peaks need not be simultaneous. */
const together = (uses: readonly SpanUse[]): SpanUse => ({
  ...noUse(undefined),
  average: uses.reduce((sum, { average }) => sum + (average ?? 0), 0),
  share: uses.reduce((sum, { share }) => sum + share, 0),
});

/** Longest time in ms between two samples: the slowest interval of the sampler, plus half of it for a late sample. */
const SLOW_LOOK_MS = 7500;

/**
 * Maximum distance, in buckets, between two consecutive values that does not count as a gap. With a sample every five seconds,
 * buckets shorter than that may be empty.
 */
const bridgedSteps = (stepMs: number): number => Math.max(1, Math.ceil(SLOW_LOOK_MS / stepMs));

/**
 * Values by bucket. Each average is extended over the following buckets that are empty only because the sampling interval is
 * longer than a bucket. Buckets in a gap are undefined.
 */
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

/** Metrics that can be summed over servers. */
export const usageMetrics = ['memoryBytes', 'cpuPercent'] as const;
export type UsageMetric = (typeof usageMetrics)[number];

/** Calls a function for each metric in `usageMetrics` and returns the results by metric. */
export const byMetric = <T>(of: (metric: UsageMetric) => T): Readonly<Record<UsageMetric, T>> => ({
  memoryBytes: of('memoryBytes'),
  cpuPercent: of('cpuPercent'),
});
