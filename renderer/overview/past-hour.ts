import type { SeriesQuery, SeriesReply } from '../../shared/history.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Time for which a question stays the same; meanwhile its answer is only kept fresh. */
export const HELD_MS = 5 * MINUTE_MS;

type Figure = 'memoryBytes' | 'cpuPercent';

/** Minutes of the last hour of all servers, by what the history answered. */
export interface PastHour {
  /** Beginning of the oldest minute with a figure. */
  readonly oldestAt: number | undefined;
  /** Number of the newest minute with a figure. */
  readonly newest: number;
  /** Averages of a server, by the number of the minute. */
  readonly of: (server: string, figure: Figure) => ReadonlyMap<number, number> | undefined;
}

/** Question for the last hour at an instant, in whole minutes; the same one for minutes on end. */
export function hourQuery(names: readonly string[], now: number): SeriesQuery {
  const to = (Math.floor(now / HELD_MS) + 1) * HELD_MS;
  const from = to - HOUR_MS - HELD_MS;
  const maxBuckets = (to - from) / MINUTE_MS + 1;
  return { from, to, servers: [...names], metrics: ['memoryBytes', 'cpuPercent'], maxBuckets };
}

export function pastHour({ from, stepMs, series }: SeriesReply): PastHour {
  const known = new Map<string, ReadonlyMap<number, number>>();
  let oldestAt: number | undefined;
  let newest = -Infinity;
  for (const { server, metric, index, avg } of series) {
    const minutes = index.map((bucket) => Math.floor((from + bucket * stepMs) / MINUTE_MS));
    known.set(`${metric} ${server}`, new Map(minutes.map((minute, place) => [minute, avg[place]!])));
    const first = minutes[0];
    newest = Math.max(newest, minutes.at(-1) ?? -Infinity);
    if (first !== undefined) oldestAt = Math.min(oldestAt ?? Infinity, first * MINUTE_MS);
  }
  return { oldestAt, newest, of: (server, figure) => known.get(`${figure} ${server}`) };
}
