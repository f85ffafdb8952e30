import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Sample, ServerFigures } from '../../shared/domain.ts';
import { SampleSeries } from './sample-series.ts';

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
 * Samples of all servers. Series change in place because an hour of samples is not to be copied every second;
 * versions tell when.
 */
export interface HistoryStore {
  readonly state: StoreApi<HistoryState>;
  /** Samples at or after `fromMs`, oldest first. Empty for a server without any. */
  since(name: string, fromMs: number): readonly Sample[];
  oldestAt(name: string): number | undefined;
  latestAt(name: string): number | undefined;
  /** Takes the sample of every server that has one. */
  append(servers: readonly ServerFigures[]): void;
  /** Merges samples that `getHistory` returned. */
  fill(name: string, samples: readonly Sample[]): void;
  /** Time of which samples are kept, back from the newest. */
  spanMsOf(name: string): number;
  /** Keeps the samples of an hour of this server, not only those of the last minutes. */
  keepHour(name: string): void;
  /** Forgets every server that is not named. */
  keepOnly(names: readonly string[]): void;
}

export function createHistoryStore(): HistoryStore {
  const histories = new Map<string, SampleSeries>();
  const state = createStore<HistoryState>(() => ({ versions: new Map(), fills: new Map() }));

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

  return {
    state,
    since: (name, fromMs) => histories.get(name)?.since(fromMs) ?? [],
    oldestAt: (name) => histories.get(name)?.samples[0]?.at,
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
    fill: (name, samples) => {
      if (!historyOf(name).merge(samples)) return;
      touch('versions', [name]);
      touch('fills', [name]);
    },
    spanMsOf: (name) => historyOf(name).spanMs,
    keepHour: (name) => historyOf(name).keepHour(),
    keepOnly: (names) => {
      const kept = new Set(names);
      for (const name of histories.keys()) if (!kept.has(name)) histories.delete(name);
    },
  };
}
