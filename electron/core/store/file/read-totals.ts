import type { HistoryMetric, Span, SpanTotal } from '../../../../shared/history.ts';
import { historyMetrics } from '../../../../shared/history.ts';
import { Buckets } from '../../../../shared/buckets.ts';
import { inUnit } from '../figures.ts';
import { spanTotals } from '../../../../shared/span-totals.ts';
import { fillBuckets, type Sinks } from './fill-buckets.ts';
import type { HistoryFile } from './history-file.ts';
import { LEVELS, LOOKS_KEPT_MS, type Level } from './levels.ts';
import type { Resolution } from './resolution.ts';
import { absencesIn } from './run-log.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Steps by the length of the span: at most some 700, of a level that covers it. */
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

/** Totals of each figure over the span, in steps that depend on the span alone. */
export function readTotals(
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

/** Running times of the panel in the span; nothing is known before the first run. */
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
