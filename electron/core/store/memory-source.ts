import type { AuditPage } from '../../../shared/approvals.ts';
import type { CallUsage, CallUsageQuery } from '../../../shared/call-usage.ts';
import type { CallMinute } from '../../../shared/call-figures.ts';
import type { PanelEvent, Sample } from '../../../shared/domain.ts';
import type {
  CallBucket,
  CallSeriesQuery,
  CallSeriesReply,
  PastState,
  PastEventsQuery,
  PastEventsReply,
  SeriesQuery,
  SeriesReply,
  SpanTotal,
} from '../../../shared/history.ts';
import { bucketsOf, bucketSpan, seriesOfSamples, type BucketSpan } from '../../../shared/buckets.ts';
import type { HistorySource } from './history-source.ts';
import { spanTotals } from '../../../shared/span-totals.ts';
import { MINUTE_MS, SECOND_MS } from '../../../shared/units.ts';
const TOTALS_STEP_MS = 15_000;

export interface MemorySourceOptions {
  readonly samples: (server: string, sinceEpochMs: number) => readonly Sample[];
  readonly callMinutes: (server: string, sinceEpochMs: number) => readonly CallMinute[];
  /** Returns the calls of an MCP client, by the client's id, to all servers together. */
  readonly clientCallMinutes: (client: string, sinceEpochMs: number) => readonly CallMinute[];
  readonly servers: () => readonly string[];
  /** Events, oldest first. */
  readonly events: () => readonly PanelEvent[];
}

/** History of this app run, kept in memory: an hour of figures and calls, and the events that the app window shows. */
export class MemorySource implements HistorySource {
  readonly #options: MemorySourceOptions;

  constructor(options: MemorySourceOptions) {
    this.#options = options;
  }

  series(query: SeriesQuery): Promise<SeriesReply> {
    const span = bucketSpan(query, query.maxBuckets, SECOND_MS);
    const series = query.servers.flatMap((server) => {
      const samples = this.#options.samples(server, span.from);
      return query.metrics.map((metric) => seriesOfSamples(server, metric, samples, span));
    });
    const reply: SeriesReply = { ...span, resolution: 'sample', series, absences: [], limits: [] };
    return Promise.resolve(query.withTotals === true ? { ...reply, totals: this.#totalsOf(query) } : reply);
  }

  #totalsOf({ from, to, servers, metrics }: SeriesQuery): SpanTotal[] {
    const span = { from: Math.floor(from / TOTALS_STEP_MS) * TOTALS_STEP_MS, to, stepMs: TOTALS_STEP_MS };
    const samples = servers.map((server) => ({ server, samples: this.#options.samples(server, from) }));
    const times = samples.flatMap((one) => one.samples.map(({ at }) => at));
    const presence =
      times.length === 0 ? [] : [{ from: Math.min(...times), to: Math.min(to, Math.max(...times) + 1) }];
    const measured = samples.flatMap((one) =>
      metrics.map((metric) => ({
        server: one.server,
        metric,
        steps: bucketsOf(metric, one.samples, span),
        inUnit: (figure: number) => figure,
      })),
    );
    return [...spanTotals(measured, { ...span, looks: new Map(), presence })];
  }

  /** Returns calls of all clients or of one. A query for calls of one client to one server returns nothing: none are stored. */
  calls({ maxBuckets, from, to, eachOf, ...query }: CallSeriesQuery): Promise<CallSeriesReply> {
    const span = bucketSpan({ from, to }, maxBuckets, MINUTE_MS);
    const callsOf = (of: typeof query) => callBuckets(this.#minutesOf(of, span.from), span);
    const servers = eachOf?.map((server) => ({ server, buckets: callsOf({ ...query, server }) }));
    return Promise.resolve({ ...span, buckets: callsOf(query), ...(servers && { servers }) });
  }

  #minutesOf({ server, client }: Pick<CallSeriesQuery, 'server' | 'client'>, since: number) {
    const { servers, callMinutes, clientCallMinutes } = this.#options;
    if (client !== undefined) return server === undefined ? clientCallMinutes(client, since) : [];
    return (server === undefined ? servers() : [server]).flatMap((name) => callMinutes(name, since));
  }

  events({ server, kinds, before, limit, from, to }: PastEventsQuery): Promise<PastEventsReply> {
    const wanted = this.#options
      .events()
      .filter(
        (event) =>
          event.at >= from &&
          event.at < to &&
          (server === undefined || event.server === server) &&
          (kinds?.includes(event.kind) ?? true),
      );
    const older = wanted.filter(({ id }) => before === undefined || id < before);
    const total = wanted.length;
    return Promise.resolve({ events: older.slice(-limit), hasMore: older.length > limit, total });
  }

  audit(): Promise<AuditPage> {
    return Promise.resolve({ rows: [], isIntact: true, hasMore: false });
  }

  callUsage({ from, to }: CallUsageQuery): Promise<CallUsage> {
    return Promise.resolve({ from, to, rows: [] });
  }

  trend(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  state(): Promise<PastState> {
    return Promise.resolve({ keptIn: 'memory' });
  }
}

function callBuckets(minutes: readonly CallMinute[], span: BucketSpan): CallBucket[] {
  const buckets = new Map<number, CallBucket>();
  for (const { at, calls, errors, durations } of minutes) {
    if (at < span.from || at >= span.to) continue;
    const index = Math.floor((at - span.from) / span.stepMs);
    const before = buckets.get(index);
    const maxMs = Math.max(before?.maxMs ?? 0, durations?.maxMs ?? 0);
    // A bucket with several minutes has no percentiles, because percentiles of different minutes cannot be merged.
    const percentiles = before === undefined &&
      durations && { p50Ms: durations.p50Ms, p95Ms: durations.p95Ms };
    buckets.set(index, {
      ...{ index, calls: (before?.calls ?? 0) + calls, errors: (before?.errors ?? 0) + errors },
      ...((durations !== undefined || before?.maxMs !== undefined) && { maxMs }),
      ...percentiles,
    });
  }
  return [...buckets.values()].sort((a, b) => a.index - b.index);
}

/** Merges calls of the file with those of this app run. The calls of this app run are complete and have percentiles. */
export function withRecentCalls(kept: CallSeriesReply, recent: CallSeriesReply): CallSeriesReply {
  if (kept.stepMs !== recent.stepMs) return kept;
  const servers = kept.servers?.map(({ server, buckets }) => {
    const own = recent.servers?.find((one) => one.server === server)?.buckets ?? [];
    return { server, buckets: joinedBuckets(buckets, own) };
  });
  return { ...kept, buckets: joinedBuckets(kept.buckets, recent.buckets), ...(servers && { servers }) };
}

function joinedBuckets(kept: readonly CallBucket[], recent: readonly CallBucket[]): CallBucket[] {
  const buckets = new Map(kept.map((bucket) => [bucket.index, bucket]));
  for (const bucket of recent) {
    const known = buckets.get(bucket.index);
    // The file is preferred if it has more calls for this bucket, because then an earlier app run also had calls in it.
    if (known === undefined || known.calls <= bucket.calls)
      buckets.set(bucket.index, { ...known, ...bucket });
  }
  return [...buckets.values()].sort((a, b) => a.index - b.index);
}
