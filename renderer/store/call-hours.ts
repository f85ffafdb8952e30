import { createStore, type StoreApi } from 'zustand/vanilla';
import type { CallMinute } from '../../shared/call-figures.ts';
import type { ClockStore } from './clock-store.ts';

const HISTORY_SPAN_MS = 3_600_000;
/** Most questions at once, because those for a hundred servers must not hold up what a person asks for. */
const MAX_PARALLEL = 4;
/** Age at which the minutes of a server are asked for again, while it is called and while it is not. */
const CALLED_AGAIN_MS = 15_000;
const IDLE_AGAIN_MS = 300_000;

/**
 * Minutes with calls of the last hour by server, oldest first. They change identity only with what they say. A server that
 * nobody looks at is absent until it was called.
 */
export type CallHoursState = ReadonlyMap<string, readonly CallMinute[]>;

/** Last hour of calls to every server. Failures are silent: what is there stays. */
export interface CallHours {
  readonly state: StoreApi<CallHoursState>;
  /** Asks about those servers whose minutes are unknown or old, a few at a time; the rest wait for the next call. */
  refresh(servers: readonly { readonly name: string; readonly isCalled: boolean }[]): void;
  /** Asks about a server now and at every tick of the clock, which rests with the window. Returns the undo. */
  follow(server: string): () => void;
}

export function createCallHours(
  getCallHistory: (server: string, sinceMs: number) => Promise<readonly CallMinute[]>,
  clock: ClockStore,
): CallHours {
  const state = createStore<CallHoursState>(() => new Map());
  const askedAt = new Map<string, number>();
  const asking = new Set<string>();

  function ask(name: string, isFollowed = false): void {
    // One question at a time for each, so that no answer overtakes a newer one.
    if (asking.has(name)) return;
    asking.add(name);
    const { now } = clock.getState();
    askedAt.set(name, now);
    const since = state.getState().get(name)?.at(-1)?.at ?? Math.max(0, now - HISTORY_SPAN_MS);
    getCallHistory(name, since)
      .then(
        (newer) => {
          const known = state.getState().get(name);
          const minutes = merged(known, newer, now);
          if (minutes === known || (minutes.length === 0 && known === undefined && !isFollowed)) return;
          state.setState(new Map(state.getState()).set(name, minutes), true);
        },
        () => undefined,
      )
      .finally(() => asking.delete(name));
  }

  return {
    state,
    refresh: (servers) => {
      const { now } = clock.getState();
      for (const { name, isCalled } of servers) {
        if (asking.size >= MAX_PARALLEL) return;
        const age = now - (askedAt.get(name) ?? -Infinity);
        if (age >= (isCalled ? CALLED_AGAIN_MS : IDLE_AGAIN_MS)) ask(name);
      }
    },
    follow: (server) => {
      ask(server, true);
      return clock.subscribe(() => ask(server, true));
    },
  };
}

/** The last hour of both; what came says how it is from its first minute on. */
function merged(
  known: readonly CallMinute[] | undefined,
  newer: readonly CallMinute[],
  now: number,
): readonly CallMinute[] {
  const [first] = newer;
  const kept = (known ?? []).filter(({ at }) => first === undefined || at < first.at);
  const all = [...kept, ...newer].filter(({ at }) => at > now - HISTORY_SPAN_MS);
  return known !== undefined && JSON.stringify(known) === JSON.stringify(all) ? known : all;
}
