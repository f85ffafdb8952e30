import {
  historyMetrics,
  type HistoryMetric,
  type LimitsInForce,
  type SeriesQuery,
  type SeriesReply,
  type Span,
} from '../../../../shared/history.ts';
import { Buckets, toSeries } from '../../../../shared/buckets.ts';
import { inUnit } from '../figures.ts';
import { fillBuckets } from './fill-buckets.ts';
import type { HistoryFile } from './history-file.ts';
import { readTotals } from './read-totals.ts';
import { resolutionOf } from './resolution.ts';
import { absencesIn } from './run-log.ts';

/** Limit of servers in the answer beside the requested ones. */
const MOST_OTHERS = 200;

/** Figures of servers over time. A requested server that is unknown has empty ones. */
export function readSeries(file: HistoryFile, query: SeriesQuery, now: number): SeriesReply {
  const resolution = resolutionOf(query, now);
  const { span } = resolution;
  const metrics = [...new Set(query.metrics)];
  const asked = new Set(query.servers);
  const servers = [...asked, ...(query.withOthers === true ? othersThan(asked, file) : [])].map((server) => ({
    server,
    id: file.names.find('server', server)?.id,
    buckets: new Map(metrics.map((metric) => [metric, new Buckets(span)])),
  }));
  const inPlace = (buckets: ReadonlyMap<HistoryMetric, Buckets>) =>
    historyMetrics.map((metric) => buckets.get(metric));
  fillBuckets(
    file,
    resolution,
    new Map(servers.flatMap(({ id, buckets }) => (id === undefined ? [] : [[id, inPlace(buckets)]]))),
  );
  return {
    ...span,
    resolution: resolution.resolution,
    series: servers.flatMap(({ server, buckets }) =>
      [...buckets]
        .map(([metric, one]) => toSeries(server, metric, one.filled, (kept) => inUnit(metric, kept)))
        .filter(({ index }) => asked.has(server) || index.length > 0),
    ),
    absences: [...absencesIn(file.runs.spans(now), span, now)],
    limits: [...asked].flatMap((server) => limitsOf(file, server, span)),
    ...(query.withTotals === true && {
      totals: readTotals(file, { from: query.from, to: query.to, servers, metrics }, now),
    }),
  };
}

/** Newest series first, because the oldest may have no data in the span. */
const othersThan = (asked: ReadonlySet<string>, { names }: HistoryFile): readonly string[] =>
  names.all
    .filter(({ kind, server }) => kind === 'server' && !asked.has(server))
    .toSorted((one, other) => other.id - one.id)
    .slice(0, MOST_OTHERS)
    .map(({ server }) => server);

/** Limits of a server in force at the start of the span, if any, and each change within it. */
function limitsOf({ db }: HistoryFile, server: string, { from, to }: Span): LimitsInForce[] {
  const rows = db
    .prepare(
      `SELECT at AS "from", memory_mib AS maxMemoryMiB, cpu_percent AS maxCpuPercent, open_files AS maxOpenFiles
       FROM limits WHERE server = ?1 AND at < ?3
         AND at >= coalesce((SELECT max(at) FROM limits WHERE server = ?1 AND at <= ?2), ?2)
       ORDER BY at`,
    )
    .all(server, from, to) as readonly Omit<LimitsInForce, 'server'>[];
  return rows.map((row) => ({ server, ...row }));
}
