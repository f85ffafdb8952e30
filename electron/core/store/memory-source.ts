import type { CallMinute } from '../../../shared/call-figures.ts';
import type { PanelEvent, Sample } from '../../../shared/domain.ts';
import type {
  CallSeriesQuery,
  CallSeriesReply,
  HistoryState,
  PastEventsQuery,
  PastEventsReply,
  SeriesQuery,
  SeriesReply,
  SpanTotal,
} from '../../../shared/history.ts';
import { bucketsOf, bucketSpan, seriesOfSamples, type BucketSpan } from '../../../shared/buckets.ts';
import type { HistorySource } from './history-source.ts';
import { spanTotals } from '../../../shared/span-totals.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60_000;
const TOTALS_STEP_MS = 15_000;

export interface MemorySourceOptions {
  readonly samples: (server: string, sinceEpochMs: number) => readonly Sample[];
  readonly callMinutes: (server: string, sinceEpochMs: number) => readonly CallMinute[];
  /** Of a client, by its id, at all servers together. */
  readonly clientCallMinutes: (client: string, sinceEpochMs: number) => readonly CallMinute[];
  readonly servers: () => readonly string[];
  /** Oldest first. */
  readonly events: () => readonly PanelEvent[];
}

/** The past as far as this launch remembers it: an hour of figures and calls, and the events that the window has. */
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

  /** What one client asked of one server is not remembered: of that there is nothing. */
  calls({ maxBuckets, from, to, ...query }: CallSeriesQuery): Promise<CallSeriesReply> {
    const span = bucketSpan({ from, to }, maxBuckets, MINUTE_MS);
    return Promise.resolve({ ...span, buckets: callBuckets(this.#minutesOf(query, span.from), span) });
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

  state(): Promise<HistoryState> {
    return Promise.resolve({ keptIn: 'memory' });
  }
}

function callBuckets(minutes: readonly CallMinute[], span: BucketSpan): CallSeriesReply['buckets'] {
  const buckets = new Map<number, CallSeriesReply['buckets'][number]>();
  for (const { at, calls, errors, durations } of minutes) {
    if (at < span.from || at >= span.to) continue;
    const index = Math.floor((at - span.from) / span.stepMs);
    const bucket = buckets.get(index) ?? { index, calls: 0, errors: 0 };
    const maxMs = Math.max(bucket.maxMs ?? 0, durations?.maxMs ?? 0);
    buckets.set(index, {
      index,
      calls: bucket.calls + calls,
      errors: bucket.errors + errors,
      ...(durations !== undefined || bucket.maxMs !== undefined ? { maxMs } : {}),
    });
  }
  return [...buckets.values()].sort((a, b) => a.index - b.index);
}
