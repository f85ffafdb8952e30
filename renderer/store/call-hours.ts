import { createStore, type StoreApi } from 'zustand/vanilla';
import type { CallMinute } from '../../shared/call-figures.ts';
import { HISTORY_SPAN_MS } from './sample-series.ts';

/** Most questions at once, because those for a hundred servers must not hold up what a person asks for. */
const MAX_PARALLEL = 4;
/** Age at which the minutes of a server are asked for again, while it is called and while it is not. */
const CALLED_AGAIN_MS = 15_000;
const IDLE_AGAIN_MS = 300_000;

/** Minutes with calls of the last hour, by server; a server that was not asked about yet is absent. */
export type CallHoursState = ReadonlyMap<string, readonly CallMinute[]>;

/** Last hour of calls to every server, for the overview. */
export interface CallHours {
  readonly state: StoreApi<CallHoursState>;
  /**
   * Asks about those servers whose minutes are unknown or old, a few at a time; the rest wait for the next
   * call. Failures are silent: what is there stays.
   */
  refresh(servers: readonly { readonly name: string; readonly isCalled: boolean }[], now: number): void;
}

export function createCallHours(
  getCallHistory: (server: string, sinceMs: number) => Promise<readonly CallMinute[]>,
): CallHours {
  const state = createStore<CallHoursState>(() => new Map());
  const askedAt = new Map<string, number>();
  let running = 0;

  function ask(name: string, now: number): void {
    running += 1;
    askedAt.set(name, now);
    getCallHistory(name, Math.max(0, now - HISTORY_SPAN_MS))
      .then(
        (minutes) => {
          const known = state.getState().get(name) ?? [];
          if (minutes.length > 0 || known.length > 0)
            state.setState(new Map(state.getState()).set(name, minutes), true);
        },
        () => undefined,
      )
      .finally(() => (running -= 1));
  }

  return {
    state,
    refresh: (servers, now) => {
      for (const { name, isCalled } of servers) {
        if (running >= MAX_PARALLEL) return;
        const age = now - (askedAt.get(name) ?? -Infinity);
        if (age >= (isCalled ? CALLED_AGAIN_MS : IDLE_AGAIN_MS)) ask(name, now);
      }
    },
  };
}
