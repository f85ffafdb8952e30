import type { Sample, ServerView } from '../../shared/domain.ts';
import { markOrder, shownMark } from '../../shared/server-states.ts';
import type { ListChoice, SortColumn } from './list-choice.ts';

/** Time span in ms over which the values to sort by are averaged. It is also the minimum time between two sortings. */
export const SORT_SPAN_MS = 10_000;

/** Returns the average of a value over the samples that have it; undefined if no sample has it. */
export function averageOf(
  samples: readonly Sample[],
  pick: (sample: Sample) => number | undefined,
): number | undefined {
  const figures = samples.map(pick).filter((figure) => figure !== undefined);
  return figures.length === 0 ? undefined : figures.reduce((sum, figure) => sum + figure, 0) / figures.length;
}

/** Number of calls in the last hour, and the time of the last call. */
interface FiguresOfCalls {
  readonly calls: number;
  readonly lastAt?: number | undefined;
}

/** Returns the value to sort a server by: bytes, percent, a count or milliseconds. Servers without one (undefined) come last. */
function sortFigure(
  server: ServerView,
  column: Exclude<SortColumn, 'name'>,
  samples: readonly Sample[],
  called: FiguresOfCalls | undefined,
): number | undefined {
  switch (column) {
    case 'state':
      return markOrder.indexOf(shownMark(server));
    case 'memory':
      return (
        server.sample && (averageOf(samples, ({ memoryBytes }) => memoryBytes) ?? server.sample.memoryBytes)
      );
    case 'cpu':
      return (
        server.sample && (averageOf(samples, ({ cpuPercent }) => cpuPercent) ?? server.sample.cpuPercent)
      );
    case 'processes':
      return server.transport === 'stdio' ? server.sample?.processCount : undefined;
    case 'restarts':
      return server.restarts24h ?? 0;
    case 'calls':
      return called?.calls;
    case 'lastUsed':
      return called?.lastAt;
    case 'uptime':
      return server.runningSince === undefined ? undefined : -server.runningSince;
  }
}

/**
 * Returns the names in the chosen order. `servers` are sorted by name, and servers with equal values stay in this order. A
 * server without a value comes last in both directions.
 * @param samplesOf returns the samples of a server for the last `SORT_SPAN_MS`
 */
export function sortServers(
  servers: readonly ServerView[],
  { sortBy, isDescending }: Pick<ListChoice, 'sortBy' | 'isDescending'>,
  samplesOf: (name: string) => readonly Sample[],
  called: ReadonlyMap<string, FiguresOfCalls> = new Map(),
): readonly string[] {
  const names = servers.map(({ name }) => name);
  if (sortBy === 'name') return isDescending ? names.toReversed() : names;
  const figures = new Map(
    servers.map((server) => [
      server.name,
      sortFigure(server, sortBy, samplesOf(server.name), called.get(server.name)),
    ]),
  );
  const sign = isDescending ? -1 : 1;
  return names.toSorted((a, b) => {
    const [one, other] = [figures.get(a), figures.get(b)];
    if (one === undefined || other === undefined)
      return Number(one === undefined) - Number(other === undefined);
    return sign * (one - other);
  });
}

/** Applies an earlier order to the current servers: removed servers are left out, and new servers come last. */
export function keepOrder(order: readonly string[], names: readonly string[]): readonly string[] {
  const left = new Set(names);
  const kept = order.filter((name) => left.delete(name));
  return [...kept, ...left];
}
