import type { Sample } from '../../shared/domain.ts';
import type { HistoryStore } from './history-store.ts';

/** Most requests at once, because those for a hundred servers must not hold up the first paint. */
const MAX_PARALLEL = 4;

export interface HistoryFiller {
  /**
   * Requests the samples of a server since `sinceMs` that were never asked for. Failures are silent: curves
   * then begin with the first push.
   */
  ensure(name: string, sinceMs: number): void;
  /** Does the same of a server that somebody looks at, whose samples are kept for an hour from now on. */
  ensureHour(name: string, sinceMs: number): void;
  /** Requests again what is kept of the time since the last sample, after missed pushes (a hidden window, a gap). */
  resume(names: readonly string[]): void;
}

export function createHistoryFiller(
  history: HistoryStore,
  getHistory: (name: string, sinceMs: number) => Promise<readonly Sample[]>,
  now: () => number,
): HistoryFiller {
  /** Instant by server from which its samples are known to be complete. */
  const coveredSince = new Map<string, number>();
  const queue: { readonly name: string; readonly sinceMs: number }[] = [];
  let running = 0;

  function enqueue(name: string, sinceMs: number): void {
    queue.push({ name, sinceMs });
    runNext();
  }

  function runNext(): void {
    const next = running < MAX_PARALLEL ? queue.shift() : undefined;
    if (next === undefined) return;
    running += 1;
    getHistory(next.name, next.sinceMs)
      .then(
        (samples) => history.fill(next.name, samples),
        () => coveredSince.delete(next.name),
      )
      .finally(() => {
        running -= 1;
        runNext();
      });
  }

  function ensure(name: string, sinceMs: number): void {
    const covered = coveredSince.get(name);
    if (covered !== undefined && covered <= sinceMs) return;
    coveredSince.set(name, sinceMs);
    enqueue(name, Math.max(0, sinceMs));
  }

  return {
    ensure,
    ensureHour: (name, sinceMs) => {
      history.keepHour(name);
      ensure(name, sinceMs);
    },
    resume: (names) => {
      for (const name of names) {
        const latest = history.latestAt(name);
        if (coveredSince.has(name) && latest !== undefined)
          enqueue(name, Math.max(latest, now() - history.spanMsOf(name)));
      }
    },
  };
}
