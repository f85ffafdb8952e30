import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Sample, ServerFigures } from '../../shared/domain.ts';
import { RECENT_SPAN_MS, SampleSeries } from './sample-series.ts';

/** Numbers per server that grow when its samples change; components subscribe to them, not to the samples. */
export interface HistoryState {
  /** Number that grows with every new sample. */
  readonly versions: ReadonlyMap<string, number>;
  /**
   * Number that grows only when the past was completed, because a curve redrawn at its own pace needs no
   * other notice.
   */
  readonly fills: ReadonlyMap<string, number>;
}

/**
 * Samples of all servers, as the pushes bring them, completed by what is asked for. Series change in place because an hour of
 * samples is not to be copied every second; versions tell when.
 */
export interface HistoryStore {
  readonly state: StoreApi<HistoryState>;
  /** Samples at or after `fromMs`, oldest first. Empty for a server without any. */
  since(name: string, fromMs: number): readonly Sample[];
  latestAt(name: string): number | undefined;
  /** Takes the sample of every server that has one. */
  append(servers: readonly ServerFigures[]): void;
  /**
   * Requests the samples of a server since `sinceMs` that were never asked for. Failures are silent: curves
   * then begin with the first push.
   */
  ensure(name: string, sinceMs: number): void;
  /** Requests again what is kept of the time since the last sample, after missed pushes (a hidden window, a gap). */
  resume(names: readonly string[]): void;
  /** Forgets every server that is not named. */
  keepOnly(names: readonly string[]): void;
}

/** Most requests at once, because those for a hundred servers must not hold up the first paint. */
const MAX_PARALLEL = 4;

export function createHistoryStore(
  getHistory: (name: string, sinceMs: number) => Promise<readonly Sample[]>,
  now: () => number,
): HistoryStore {
  const histories = new Map<string, SampleSeries>();
  const state = createStore<HistoryState>(() => ({ versions: new Map(), fills: new Map() }));
  /** Instant by server from which its samples are known to be complete. */
  const coveredSince = new Map<string, number>();
  const queue: { readonly name: string; readonly sinceMs: number }[] = [];
  let running = 0;

  function historyOf(name: string): SampleSeries {
    const history = histories.get(name) ?? new SampleSeries();
    histories.set(name, history);
    return history;
  }

  function touch(part: keyof HistoryState, names: readonly string[]): void {
    if (names.length === 0) return;
    const numbers = new Map(state.getState()[part]);
    for (const name of names) numbers.set(name, (numbers.get(name) ?? 0) + 1);
    state.setState({ [part]: numbers });
  }

  function runNext(): void {
    const next = running < MAX_PARALLEL ? queue.shift() : undefined;
    if (next === undefined) return;
    running += 1;
    getHistory(next.name, next.sinceMs)
      .then(
        (samples) => {
          if (!historyOf(next.name).merge(samples)) return;
          touch('versions', [next.name]);
          touch('fills', [next.name]);
        },
        () => coveredSince.delete(next.name),
      )
      .finally(() => {
        running -= 1;
        runNext();
      });
  }

  function request(name: string, sinceMs: number): void {
    queue.push({ name, sinceMs });
    runNext();
  }

  function ensure(name: string, sinceMs: number): void {
    if ((coveredSince.get(name) ?? Infinity) <= sinceMs) return;
    coveredSince.set(name, sinceMs);
    request(name, Math.max(0, sinceMs));
  }

  return {
    state,
    ensure,
    since: (name, fromMs) => histories.get(name)?.since(fromMs) ?? [],
    latestAt: (name) => histories.get(name)?.latest?.at,
    append: (servers) => {
      const changed = servers.filter(
        ({ name, sample }) => sample !== undefined && historyOf(name).append(sample),
      );
      touch(
        'versions',
        changed.map((server) => server.name),
      );
    },
    resume: (names) => {
      for (const name of names) {
        const { latest } = historyOf(name);
        if (coveredSince.has(name) && latest !== undefined)
          request(name, Math.max(latest.at, now() - RECENT_SPAN_MS));
      }
    },
    keepOnly: (names) => {
      const kept = new Set(names);
      for (const name of histories.keys()) if (!kept.has(name)) histories.delete(name);
    },
  };
}
