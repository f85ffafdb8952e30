import type { Sample, ServerView } from '../../shared/domain.ts';
import { markOrder, shownMark } from '../../shared/server-states.ts';
import { recentCallsOf } from './call-figures.ts';
import type { ListChoice, SortColumn } from './list-choice.ts';

/** Span of the average that figures are sorted by, and the least time between two orders. */
export const SORT_SPAN_MS = 10_000;

/** Average of a figure over the samples that have it; undefined where none has. */
export function averageOf(
  samples: readonly Sample[],
  pick: (sample: Sample) => number | undefined,
): number | undefined {
  const figures = samples.map(pick).filter((figure) => figure !== undefined);
  return figures.length === 0 ? undefined : figures.reduce((sum, figure) => sum + figure, 0) / figures.length;
}

/** What the figures of a server are sorted by, bytes, percent, counts or milliseconds; undefined stands last. */
function sortFigure(
  server: ServerView,
  column: Exclude<SortColumn, 'name'>,
  samples: readonly Sample[],
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
      return recentCallsOf(server)?.calls;
    case 'uptime':
      return server.runningSince === undefined ? undefined : -server.runningSince;
  }
}

/**
 * Names in the chosen order; `servers` come in that of their names, which decides between equal ones. A server without the
 * figure stands last in both directions.
 * @param samplesOf the last `SORT_SPAN_MS` of a server
 */
export function sortServers(
  servers: readonly ServerView[],
  { sortBy, isDescending }: Pick<ListChoice, 'sortBy' | 'isDescending'>,
  samplesOf: (name: string) => readonly Sample[],
): readonly string[] {
  const names = servers.map(({ name }) => name);
  if (sortBy === 'name') return isDescending ? names.toReversed() : names;
  const figures = new Map(
    servers.map((server) => [server.name, sortFigure(server, sortBy, samplesOf(server.name))]),
  );
  const sign = isDescending ? -1 : 1;
  return names.toSorted((a, b) => {
    const [one, other] = [figures.get(a), figures.get(b)];
    if (one === undefined || other === undefined)
      return Number(one === undefined) - Number(other === undefined);
    return sign * (one - other);
  });
}

/** An earlier order for the servers of now: those that left are out, and those that came stand last. */
export function keepOrder(order: readonly string[], names: readonly string[]): readonly string[] {
  const left = new Set(names);
  const kept = order.filter((name) => left.delete(name));
  return [...kept, ...left];
}
