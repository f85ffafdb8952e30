import type { HistoryMetric, SeriesReply } from '../../shared/history.ts';
import { stackTops, stackUsage, type UsageStack } from '../overview/usage-stack.ts';
import { heldFigures } from './bridge.ts';

/** What one server, or several together, used over a span. */
export interface Use {
  /** Name of the server; undefined for several together. */
  readonly server: string | undefined;
  /** Mean over the time in which there were figures; undefined without any. */
  readonly average: number | undefined;
  /** Highest figure; of several together the highest sum of their averages, because their peaks do not coincide. */
  readonly peak: number | undefined;
  /** Part of what all servers used over the whole span, from 0 to 1. */
  readonly share: number;
}

/** What all servers used of one figure over a span. */
export interface SpanUsage {
  readonly stack: UsageStack;
  /** Uses of the bands, in their order. */
  readonly bands: readonly Use[];
  /** Uses of all servers that have any figure, the largest share first. */
  readonly servers: readonly Use[];
  readonly total: Use;
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
  const tops = stackTops(stack);
  const totalSum = sumOf(tops);
  const servers = measured
    .map(({ server, figures, max }): Use => {
      const known = figures.filter((figure) => figure !== undefined);
      return { server, ...averageAndShare(known, totalSum), peak: highestOf(max) };
    })
    .toSorted((a, b) => b.share - a.share || (a.server! < b.server! ? -1 : 1));
  const byServer = new Map(servers.map((use) => [use.server, use]));
  return {
    stack,
    servers,
    bands: stack.bands.map(({ server, figures }) =>
      server === undefined ? together(figures, stack.isKnown, totalSum) : byServer.get(server)!,
    ),
    total: {
      ...together(tops, stack.isKnown, totalSum),
      // A single server is all of it, and must not have a higher peak than the whole.
      ...(servers.length === 1 && { peak: servers[0]!.peak }),
    },
    figures: new Map(measured.map(({ server, figures }) => [server, figures])),
  };
}

function together(figures: readonly number[], isKnown: readonly boolean[], totalSum: number): Use {
  const known = figures.filter((_, step) => isKnown[step] === true);
  return { server: undefined, ...averageAndShare(known, totalSum), peak: highestOf(known) };
}

function averageAndShare(known: readonly number[], totalSum: number): Pick<Use, 'average' | 'share'> {
  const sum = sumOf(known);
  return {
    average: known.length === 0 ? undefined : sum / known.length,
    share: totalSum > 0 ? sum / totalSum : 0,
  };
}

const sumOf = (figures: readonly number[]): number => figures.reduce((sum, figure) => sum + figure, 0);
const highestOf = (figures: readonly number[]): number | undefined =>
  figures.reduce<number | undefined>(
    (highest, figure) => (highest === undefined ? figure : Math.max(highest, figure)),
    undefined,
  );
