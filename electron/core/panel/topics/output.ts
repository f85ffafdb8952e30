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
  /** Start of this app run in epoch milliseconds; data from before it is only in the history. */
  readonly launchedAt: number;
}

/** Maximum wait for the history in ms, because a curve of only this app run is better than none. */
const LONGEST_WAIT_MS = 2000;
/** Maximum lines of earlier app runs, because users read no more. */
const MAX_EARLIER_LINES = 1000;

/** Output of servers: lines of stderr, samples and calls. All methods throw PanelError SERVER_UNKNOWN. */
export function outputTopic(sources: OutputSources) {
  const { calls, clock, fleet, history, journal, launchedAt, logPage, telemetry } = sources;
  const known = (name: string): string => fleet.get(name).name;
  return {
    /** Returns the lines that the server wrote to stderr with an id above `afterId`, oldest first. */
    since: (name, afterId) => journal.outputs.get(known(name))?.since(afterId) ?? [],
    /** Returns the last lines that earlier app runs left on disk, oldest first, with ids up to 0. */
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
    /** Samples since that time, oldest first: those of earlier app runs from the history, those of this app run from memory. */
    history: async (name, sinceEpochMs) => {
      let earlier: readonly Sample[] = [];
      if (sinceEpochMs < launchedAt) {
        const span = { from: sinceEpochMs, to: launchedAt };
        const read = pastSamples(history.source, known(name), span).then((found) => (earlier = found));
        await settlesWithin(clock, read, LONGEST_WAIT_MS);
      }
      return [...earlier, ...telemetry.history(known(name), sinceEpochMs)];
    },
    /** Minutes with calls since that time, within the last hour, oldest first. */
    calls: (name, sinceEpochMs) => calls.since(known(name), sinceEpochMs),
  } satisfies CallAnswers<typeof outputCalls>;
}

/**
 * Milliseconds that one query covers. An hour of seconds exceeds the limit of a query, and the answer to a query is processed
 * in one event-loop tick.
 */
const PART_MS = MAX_SERIES_BUCKETS * 0.9 * SECOND_MS;

/**
 * Samples of a server within a time span, oldest first. The span begins at most an hour ago, because the history keeps single
 * samples for an hour.
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

/**
 * Returns one sample for each second with data. Coarser figures yield no samples, because they would be mistaken for single
 * samples.
 */
function samplesOf({ from, stepMs, series }: SeriesReply): readonly Sample[] {
  if (stepMs !== SECOND_MS) return [];
  const samples = new Map<number, Sample>();
  for (const { metric, index, max } of series) {
    index.forEach((bucket, place) => {
      const sample = samples.get(bucket) ?? { at: from + bucket * stepMs, processCount: 0 };
      // The maximum is a measured value even if two samples fell into one second; an average could be half a process.
      const value = max[place];
      samples.set(bucket, value === undefined ? sample : { ...sample, [metric]: value });
    });
  }
  return [...samples.values()].sort((one, other) => one.at - other.at);
}
