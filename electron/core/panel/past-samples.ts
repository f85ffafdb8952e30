import { historyMetrics, MAX_SERIES_BUCKETS, type SeriesReply } from '../../../shared/history.ts';
import type { Sample } from '../../../shared/domain.ts';
import type { Clock, WallClock } from '../clock.ts';
import type { HistorySource } from '../store/history-source.ts';
import { settlesWithin } from '../wait.ts';

const HOUR_MS = 3_600_000;
const SECOND_MS = 1000;
/** An hour of seconds is more than one question may bring; and an answer is taken apart in one turn of the loop. */
const PARTS = 2;
/** A curve that begins with this launch is better than none. */
const LONGEST_WAIT_MS = 2000;

export interface PastSamplesOptions {
  readonly clock: Clock;
  readonly wallClock: WallClock;
  readonly source: Pick<HistorySource, 'series'>;
  /** Puts samples before those that are in memory. */
  readonly restore: (server: string, samples: readonly Sample[]) => void;
}

/** Brings back the last hour before this launch, for each server when somebody first asks for its samples. */
export class PastSamples {
  readonly #options: PastSamplesOptions;
  readonly #asked = new Map<string, Promise<void>>();

  constructor(options: PastSamplesOptions) {
    this.#options = options;
  }

  /** Resolves when they are in memory, or will not be soon. Never rejects. */
  async ensure(server: string): Promise<void> {
    const asked = this.#asked.get(server) ?? this.#restore(server);
    this.#asked.set(server, asked);
    await settlesWithin(this.#options.clock, asked, LONGEST_WAIT_MS);
  }

  forget(server: string): void {
    this.#asked.delete(server);
  }

  async #restore(server: string): Promise<void> {
    const to = this.#options.wallClock.epochMs();
    const samples: Sample[] = [];
    for (let part = PARTS; part > 0; part -= 1) {
      const from = to - (part * HOUR_MS) / PARTS;
      const span = { from, to: from + HOUR_MS / PARTS };
      samples.push(...samplesOf(await this.#options.source.series(wanted(server, span))));
    }
    this.#options.restore(server, samples);
  }
}

const wanted = (server: string, span: { readonly from: number; readonly to: number }) => ({
  ...span,
  servers: [server],
  metrics: [...historyMetrics],
  maxBuckets: MAX_SERIES_BUCKETS,
});

/** One sample for each second that has any. Of coarser figures none, because they would pass for single looks. */
function samplesOf({ from, stepMs, series }: SeriesReply): readonly Sample[] {
  if (stepMs !== SECOND_MS) return [];
  const samples = new Map<number, Sample>();
  for (const { metric, index, max } of series) {
    index.forEach((bucket, place) => {
      const sample = samples.get(bucket) ?? { at: from + bucket * stepMs, processCount: 0 };
      // What was seen in truth, where two looks fell into one second: half a process is none.
      const value = max[place];
      samples.set(bucket, value === undefined ? sample : { ...sample, [metric]: value });
    });
  }
  return [...samples.values()].sort((one, other) => one.at - other.at);
}
