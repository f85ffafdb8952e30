import { createStore, type StoreApi } from 'zustand/vanilla';
import type { CallMinute } from '../../shared/call-figures.ts';
import type { ClockStore } from './clock-store.ts';
import { HISTORY_SPAN_MS } from './sample-series.ts';

export interface CallState {
  /** Whose calls these are; undefined while nobody looks at any. */
  readonly server: string | undefined;
  /** Minutes with calls, oldest first; undefined until they are known. Changes identity only with what it says. */
  readonly minutes: readonly CallMinute[] | undefined;
}

/** The last hour of calls to the one server whose page shows them. */
export interface CallStore {
  readonly state: StoreApi<CallState>;
  /** Asks now and at every tick of the clock, which rests with the window. Failures are silent: what is there stays. Returns the undo. */
  follow(server: string): () => void;
}

const nothing: CallState = { server: undefined, minutes: undefined };

export function createCallStore(
  getCallHistory: (server: string, sinceMs: number) => Promise<readonly CallMinute[]>,
  clock: ClockStore,
): CallStore {
  const state = createStore<CallState>(() => nothing);
  let current: symbol | undefined;

  function follow(server: string): () => void {
    const own = Symbol(server);
    current = own;
    state.setState({ server, minutes: undefined });
    let isAsking = false;

    const ask = () => {
      // One question at a time, so that no answer overtakes another.
      if (isAsking) return;
      isAsking = true;
      const { minutes = [] } = state.getState();
      const { now } = clock.getState();
      getCallHistory(server, minutes.at(-1)?.at ?? Math.max(0, now - HISTORY_SPAN_MS))
        .then(
          (newer) => {
            if (current === own) state.setState({ minutes: merged(state.getState().minutes, newer, now) });
          },
          () => undefined,
        )
        .finally(() => (isAsking = false));
    };

    const stopTicking = clock.subscribe(ask);
    ask();
    return () => {
      stopTicking();
      if (current !== own) return;
      current = undefined;
      state.setState(nothing);
    };
  }

  return { state, follow };
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
