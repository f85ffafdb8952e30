import type { HistoryMetric, SpanTotal } from '../../shared/history.ts';

/** Use of a figure over a span, by one server or by several together. */
export interface SpanUse {
  /** Name of the server; undefined for several servers together. */
  readonly server: string | undefined;
  /** Mean over the time in which the panel ran, in the figure's unit; undefined if nothing was measured. */
  readonly average?: number | undefined;
  /** Mean over the time in which the server ran; undefined for several servers together. */
  readonly whileRunning?: number | undefined;
  /**
   * Highest value; for all servers, the highest value of one server plus what the other servers used at that time; undefined
   * for a group of servers.
   */
  readonly peak?: number | undefined;
  /** Share of the use of all servers over the whole span, from 0 to 1. */
  readonly share: number;
}

export interface SpanUses {
  /** Uses of the servers that have any measurement, largest share first. */
  readonly servers: readonly SpanUse[];
  readonly total: SpanUse;
}

/** Returns the uses of one figure, from its totals. */
export function usesOf(totals: readonly SpanTotal[], metric: HistoryMetric): SpanUses {
  const own = totals.filter((total) => total.metric === metric);
  const all = own.find(({ server }) => server === null)?.average ?? 0;
  const uses = own.map(({ server, average, whileRunning, peak }): SpanUse => {
    const share = all > 0 ? average / all : 0;
    return { server: server ?? undefined, average, whileRunning, peak, share };
  });
  return {
    servers: uses
      .filter(({ server }) => server !== undefined)
      .toSorted((a, b) => b.share - a.share || (a.server! < b.server! ? -1 : 1)),
    total: uses.find(({ server }) => server === undefined) ?? noUse(undefined),
  };
}

/** Use of a server that was not measured. */
export const noUse = (server: string | undefined): SpanUse => ({ server, share: 0 });
