import { createStore } from 'zustand/vanilla';
import type { Sample, ServerFigures } from '../../shared/domain.ts';

/** Counters that increase when samples change. Components subscribe to the counters instead of the samples. */
interface HistoryState {
  /** Increases with every new sample of any server. */
  readonly version: number;
  /** Counters by server name of additions of older samples. New ones are not counted, because a curve redraws at its own pace. */
  readonly fills: ReadonlyMap<string, number>;
}

/** Maximum number of parallel requests, because the requests for a hundred servers must not delay the first paint. */
const MAX_PARALLEL = 4;

/**
 * Samples of all servers: new samples from pushes, and older samples on request. The arrays change in place, because an hour of
 * samples must not be copied every second. The counters signal the changes.
 */
export class HistoryStore {
  readonly state = createStore<HistoryState>(() => ({ version: 0, fills: new Map() }));
  readonly #histories = new Map<string, SampleSeries>();
  /** Start of the time for which samples have been requested, by server name. */
  readonly #coveredSince = new Map<string, number>();
  readonly #queue: { readonly name: string; readonly sinceMs: number }[] = [];
  readonly #getHistory: (name: string, sinceMs: number) => Promise<readonly Sample[]>;
  readonly #now: () => number;
  #running = 0;

  constructor(getHistory: (name: string, sinceMs: number) => Promise<readonly Sample[]>, now: () => number) {
    this.#getHistory = getHistory;
    this.#now = now;
  }

  /** Returns the samples at or after `fromMs`, oldest first. Empty if the server has no samples. */
  since(name: string, fromMs: number): readonly Sample[] {
    return this.#histories.get(name)?.since(fromMs) ?? [];
  }

  latestAt(name: string): number | undefined {
    return this.#histories.get(name)?.latest?.at;
  }

  /** Adds the new sample of every server that has one. */
  append(servers: readonly ServerFigures[]): void {
    const changed = servers.filter(
      ({ name, sample }) => sample !== undefined && this.#historyOf(name).append(sample),
    );
    if (changed.length > 0) this.state.setState(({ version }) => ({ version: version + 1 }));
  }

  /**
   * Requests the samples of a server since `sinceMs`, unless they have been requested before. A failure is ignored, and the
   * server's curves then begin with the first push.
   */
  ensure(name: string, sinceMs: number): void {
    if ((this.#coveredSince.get(name) ?? Infinity) <= sinceMs) return;
    this.#coveredSince.set(name, sinceMs);
    this.#request(name, Math.max(0, sinceMs));
  }

  /** Requests all samples after the last known one, because pushes were missed while the app window was hidden or in a gap. */
  resume(names: readonly string[]): void {
    for (const name of names) {
      const latestAt = this.latestAt(name);
      if (this.#coveredSince.has(name) && latestAt !== undefined)
        this.#request(name, Math.max(latestAt, this.#now() - RECENT_SPAN_MS));
    }
  }

  /** Deletes the samples of all servers except the named ones. */
  keepOnly(names: readonly string[]): void {
    const kept = new Set(names);
    for (const name of this.#histories.keys()) if (!kept.has(name)) this.#histories.delete(name);
  }

  #historyOf(name: string): SampleSeries {
    const history = this.#histories.get(name) ?? new SampleSeries();
    this.#histories.set(name, history);
    return history;
  }

  #request(name: string, sinceMs: number): void {
    this.#queue.push({ name, sinceMs });
    this.#runNext();
  }

  #runNext(): void {
    const next = this.#running < MAX_PARALLEL ? this.#queue.shift() : undefined;
    if (next === undefined) return;
    this.#running += 1;
    this.#getHistory(next.name, next.sinceMs)
      .then(
        (samples) => {
          if (!this.#historyOf(next.name).merge(samples)) return;
          this.state.setState(({ version, fills }) => ({
            version: version + 1,
            fills: new Map(fills).set(next.name, (fills.get(next.name) ?? 0) + 1),
          }));
        },
        () => this.#coveredSince.delete(next.name),
      )
      .finally(() => {
        this.#running -= 1;
        this.#runNext();
      });
  }
}

/** Time span in ms for which samples are kept: the span of the sparklines and a little more. */
const RECENT_SPAN_MS = 360_000;
/** Minimum number of samples that are removed together, so that most calls of `append` do not remove any. */
const TRIM_BLOCK = 120;

/** Samples of one server in the last minutes, oldest first, at most one per instant. Older samples are in the history. */
class SampleSeries {
  #samples: Sample[] = [];

  get latest(): Sample | undefined {
    return this.#samples.at(-1);
  }

  /** Adds a newer sample and returns true. Ignores others and returns false: a change of state sends the last sample again. */
  append(sample: Sample): boolean {
    const { latest } = this;
    if (latest !== undefined && sample.at <= latest.at) return false;
    this.#samples.push(sample);
    this.#trim();
    return true;
  }

  /** Merges samples in any order. Samples that are already known are not replaced. Returns true if any sample was new. */
  merge(others: readonly Sample[]): boolean {
    const known = new Set(this.#samples.map((sample) => sample.at));
    const added = others.filter((sample) => !known.has(sample.at));
    if (added.length === 0) return false;
    this.#samples = [...this.#samples, ...added].sort((a, b) => a.at - b.at);
    this.#trim();
    return true;
  }

  /** Returns the samples at or after `fromMs`. */
  since(fromMs: number): readonly Sample[] {
    return this.#samples.slice(this.#indexOf(fromMs));
  }

  #trim(): void {
    const newest = this.latest?.at ?? 0;
    const outdated = this.#indexOf(newest - RECENT_SPAN_MS);
    if (outdated >= TRIM_BLOCK) this.#samples.splice(0, outdated);
  }

  /** Returns the index of the first sample at or after `fromMs`. */
  #indexOf(fromMs: number): number {
    let low = 0;
    let high = this.#samples.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#samples[middle]?.at ?? 0) < fromMs) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
