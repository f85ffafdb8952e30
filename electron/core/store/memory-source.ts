import type { CallMinute } from '../../../shared/call-figures.ts';
import type { PanelEvent, Sample } from '../../../shared/domain.ts';
import type {
  CallSeriesQuery,
  CallSeriesReply,
  HistoryMetric,
  HistoryState,
  PastEventsQuery,
  PastEventsReply,
  Series,
  SeriesQuery,
  SeriesReply,
} from '../../../shared/history.ts';
import { bucketSpan, type BucketSpan } from './bucket-span.ts';
import { Buckets } from './buckets.ts';
import type { HistorySource } from './history-source.ts';
import { toSeries } from './to-series.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60_000;

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
      return query.metrics.map((metric) => seriesOf({ server, metric, samples, span }));
    });
    return Promise.resolve({ ...span, resolution: 'sample', series, absences: [], limits: [] });
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
          (kinds?.includes(event.kind) ?? true) &&
          (before === undefined || event.id < before),
      );
    return Promise.resolve({ events: wanted.slice(-limit), hasMore: wanted.length > limit });
  }

  state(): Promise<HistoryState> {
    return Promise.resolve({ keptIn: 'memory' });
  }
}

interface SeriesParts {
  readonly server: string;
  readonly metric: HistoryMetric;
  readonly samples: readonly Sample[];
  readonly span: BucketSpan;
}

function seriesOf({ server, metric, samples, span }: SeriesParts): Series {
  const buckets = new Buckets(span);
  for (const sample of samples) {
    const value = sample[metric];
    if (value !== undefined) buckets.add(sample.at, 1, value, value, value);
  }
  return toSeries(server, metric, buckets.filled);
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
