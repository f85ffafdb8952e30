import type { Sample } from '../../../../shared/domain.ts';
import {
  historyMetrics,
  MAX_SERIES_BUCKETS,
  type SeriesReply,
  type Span,
} from '../../../../shared/history.ts';
import type { CallAnswers } from '../../../../shared/ipc/call.ts';
import type { outputCalls } from '../../../../shared/ipc/topics/output.ts';
import type { LogPage, LogPageQuery } from '../../../../shared/log-lines.ts';
import { HOUR_MS, SECOND_MS } from '../../../../shared/units.ts';
import type { Clock } from '../../clock.ts';
import type { Journal } from '../../journal/journal.ts';
import { msOf } from '../../journal/line-times.ts';
import type { HistorySource } from '../../store/history-source.ts';
import type { CallBook } from '../../telemetry/calls/call-book.ts';
import type { ServerTelemetry } from '../../telemetry/server-telemetry.ts';
import { settlesWithin } from '../../wait.ts';

interface OutputSources {
  readonly clock: Clock;
  readonly fleet: { get(name: string): { readonly name: string } };
  readonly journal: Pick<Journal, 'outputs' | 'times'>;
  readonly logPage: (query: LogPageQuery) => Promise<LogPage>;
  readonly telemetry: Pick<ServerTelemetry, 'history'>;
  readonly calls: Pick<CallBook, 'since'>;
  readonly history: { readonly source: Pick<HistorySource, 'series'> };
  /** Start of this app run in epoch milliseconds. Older samples are only in the history on disk. */
  readonly launchedAt: number;
}

/** Maximum milliseconds to wait for the history. If it takes longer, the chart shows only the samples of this app run. */
const LONGEST_WAIT_MS = 2000;
/** Maximum lines of earlier app runs, because users do not read more. */
const MAX_EARLIER_LINES = 1000;

/** Requests of the app window about a server's stderr lines, samples and calls. All of them throw PanelError SERVER_UNKNOWN. */
export function outputTopic(sources: OutputSources) {
  const { calls, clock, fleet, history, journal, launchedAt, logPage, telemetry } = sources;
  const known = (name: string): string => fleet.get(name).name;
  return {
    /** Returns the lines that the server wrote to stderr with an id above `afterId`, oldest first. */
    since: (name, afterId) => journal.outputs.get(known(name))?.since(afterId) ?? [],
    /** Returns the last stderr lines of earlier app runs from disk, oldest first. Their ids end at 0; this run's ids follow. */
    earlier: async (name) => {
      const to = msOf(journal.times.beganUs);
      const filter: LogPageQuery['filter'] = { servers: [known(name)], sources: ['stderr'], to };
      const { lines } = await logPage({ filter, limit: MAX_EARLIER_LINES });
      const own = lines.filter(({ instance }) => instance === undefined);
      return own.map(({ at, generation = 0, text }, index) => ({
        id: index + 1 - own.length,
        at,
        generation,
        text,
      }));
    },
    /** Returns the samples since a time, oldest first: those of earlier app runs from the history, the others from memory. */
    history: async (name, sinceEpochMs) => {
      let earlier: readonly Sample[] = [];
      if (sinceEpochMs < launchedAt) {
        const span = { from: sinceEpochMs, to: launchedAt };
        const read = pastSamples(history.source, known(name), span).then((found) => (earlier = found));
        await settlesWithin(clock, read, LONGEST_WAIT_MS);
      }
      return [...earlier, ...telemetry.history(known(name), sinceEpochMs)];
    },
    /** Returns the minutes with calls since a point in time, oldest first, going back at most one hour. */
    calls: (name, sinceEpochMs) => calls.since(known(name), sinceEpochMs),
  } satisfies CallAnswers<typeof outputCalls>;
}

/**
 * Milliseconds that one query to the history covers. An hour of one-second samples is too long for one query, and each reply is
 * processed in one event-loop tick.
 */
const PART_MS = MAX_SERIES_BUCKETS * 0.9 * SECOND_MS;

/**
 * Reads the samples of a server in a time span from the history, oldest first. Reads at most the last hour of the span, because
 * the history keeps single samples for one hour.
 */
async function pastSamples(
  source: Pick<HistorySource, 'series'>,
  server: string,
  { from, to }: Span,
): Promise<readonly Sample[]> {
  const samples: Sample[] = [];
  for (let start = Math.max(from, to - HOUR_MS); start < to; start += PART_MS) {
    const span = { from: start, to: Math.min(to, start + PART_MS) };
    const reply = await source.series({
      ...span,
      servers: [server],
      metrics: [...historyMetrics],
      maxBuckets: MAX_SERIES_BUCKETS,
    });
    samples.push(...samplesOf(reply).filter(({ at }) => at >= span.from && at < span.to));
  }
  return samples;
}

/** Returns a sample per second with data; none if the reply combines seconds, as averages must not look like single samples. */
function samplesOf({ from, stepMs, series }: SeriesReply): readonly Sample[] {
  if (stepMs !== SECOND_MS) return [];
  const samples = new Map<number, Sample>();
  for (const { metric, index, max } of series) {
    index.forEach((bucket, place) => {
      const sample = samples.get(bucket) ?? { at: from + bucket * stepMs, processCount: 0 };
      // Uses the maximum, because it is a value that was really measured even if two samples are in the same second. An average
      // could be half a process.
      const value = max[place];
      samples.set(bucket, value === undefined ? sample : { ...sample, [metric]: value });
    });
  }
  return [...samples.values()].sort((one, other) => one.at - other.at);
}
