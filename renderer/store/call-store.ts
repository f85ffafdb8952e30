import { createStore, type StoreApi } from 'zustand/vanilla';
import type { CallMinute } from '../../shared/call-figures.ts';
import type { ClockStore } from './clock-store.ts';
import { followServer } from './follow-server.ts';
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
  const ask = async (server: string): Promise<Partial<CallState>> => {
    const { minutes = [] } = state.getState();
    const { now } = clock.getState();
    try {
      const newer = await getCallHistory(server, minutes.at(-1)?.at ?? Math.max(0, now - HISTORY_SPAN_MS));
      return { minutes: merged(state.getState().minutes, newer, now) };
    } catch {
      return {};
    }
  };
  return { state, follow: followServer({ state, nothing, ask, clock }).follow };
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
