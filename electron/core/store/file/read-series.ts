import {
  historyMetrics,
  type HistoryMetric,
  type LimitsInForce,
  type SeriesQuery,
  type SeriesReply,
  type Span,
  type SpanTotal,
} from '../../../../shared/history.ts';
import { Buckets, toSeries } from '../../../../shared/buckets.ts';
import { inUnit } from '../figures.ts';
import { fillBuckets, type Sinks } from './fill-buckets.ts';
import type { HistoryFile } from './history-file.ts';
import { type Level, LEVELS, LOOKS_KEPT_MS, type Resolution, resolutionOf } from './levels.ts';
import { absencesIn } from './run-log.ts';
import { spanTotals } from '../../../../shared/span-totals.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../shared/units.ts';

/** Maximum number of servers in the answer that were not requested. */
const MOST_OTHERS = 200;

/** Returns the figures of servers over time. An unknown server that was requested has empty figures. */
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

/** Returns the names of the series that were not requested, the newest first, because the oldest may have no data in the span. */
const othersThan = (asked: ReadonlySet<string>, { names }: HistoryFile): readonly string[] =>
  names.all
    .filter(({ kind, server }) => kind === 'server' && !asked.has(server))
    .toSorted((one, other) => other.id - one.id)
    .slice(0, MOST_OTHERS)
    .map(({ server }) => server);

/** Returns the limits of a server at the start of the span, if any, and each change within it. */
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

/** Step lengths by the length of the span. They give about 700 steps at most, from a level that covers the whole span. */
const STEPS = [
  { upToMs: 10 * MINUTE_MS, stepMs: 15_000, keptMs: LOOKS_KEPT_MS },
  { upToMs: 6 * HOUR_MS, stepMs: MINUTE_MS, keptMs: LEVELS[0].keptMs },
  { upToMs: 26 * HOUR_MS, stepMs: 5 * MINUTE_MS, keptMs: LEVELS[0].keptMs },
  { upToMs: 8 * DAY_MS, stepMs: 15 * MINUTE_MS, keptMs: LEVELS[1].keptMs },
  { upToMs: 32 * DAY_MS, stepMs: HOUR_MS, keptMs: LEVELS[1].keptMs },
  { upToMs: Infinity, stepMs: 3 * HOUR_MS, keptMs: Infinity },
] as const;

interface TotalsQuery extends Span {
  readonly servers: readonly { readonly server: string; readonly id: number | undefined }[];
  readonly metrics: readonly HistoryMetric[];
}

/** Returns each metric's total over the span, in steps whose length depends only on the span, not on the number of buckets. */
function readTotals(
  file: HistoryFile,
  { from, to, servers, metrics }: TotalsQuery,
  now: number,
): SpanTotal[] {
  const resolution = stepsFor({ from, to }, now);
  const { span } = resolution;
  const looks = new Buckets(span);
  const lookId = file.names.find('looks', '')?.id;
  const kept = servers.map(({ server, id }) => ({
    server,
    id,
    buckets: historyMetrics.map((metric) => (metrics.includes(metric) ? new Buckets(span) : undefined)),
  }));
  const wanted = new Map<number, Sinks>();
  for (const { id, buckets } of kept) if (id !== undefined) wanted.set(id, buckets);
  if (lookId !== undefined) wanted.set(lookId, [looks]);
  fillBuckets(file, resolution, wanted);
  const measured = kept.flatMap(({ server, buckets }) =>
    historyMetrics.flatMap((metric, index) => {
      const steps = buckets[index]?.filled;
      return steps === undefined
        ? []
        : [{ server, metric, steps, inUnit: (one: number) => inUnit(metric, one) }];
    }),
  );
  return [
    ...spanTotals(measured, {
      ...span,
      looks: new Map(looks.filled.map(({ index, count }) => [index, count])),
      presence: presenceIn(file, { from, to: Math.min(to, now) }, now),
    }),
  ];
}

function stepsFor({ from, to }: Span, now: number): Resolution {
  const steps = STEPS.find(({ upToMs, keptMs }) => to - from <= upToMs && from >= now - keptMs);
  const stepMs = steps?.stepMs ?? 3 * HOUR_MS;
  const level: Level | undefined = LEVELS.findLast((one) => stepMs % one.stepMs === 0);
  const span = { from: Math.floor(from / stepMs) * stepMs, to, stepMs };
  return { span, level, resolution: level?.resolution ?? 'sample' };
}

/** Returns the running times of the panel in the span. Nothing is known before the first run. */
function presenceIn({ runs }: HistoryFile, { from, to }: Span, now: number): readonly Span[] {
  const spans = runs.spans(now);
  const begin = Math.max(from, spans[0]?.from ?? Infinity);
  if (begin >= to) return [];
  const presence: Span[] = [];
  let at = begin;
  for (const absence of absencesIn(spans, { from: begin, to }, now)) {
    if (absence.from > at) presence.push({ from: at, to: absence.from });
    at = absence.to;
  }
  return at < to ? [...presence, { from: at, to }] : presence;
}
