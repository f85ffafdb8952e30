import { createStore, type StoreApi } from 'zustand/vanilla';
import type { SessionsView } from '../../shared/sessions-view.ts';
import type { ErrorReport } from '../../shared/error-codes.ts';
import type { ClockStore } from './clock-store.ts';
import { followServer } from './follow-server.ts';

export interface SessionsState {
  /** Server whose sessions are in `view`; undefined while no page shows any. */
  readonly server: string | undefined;
  readonly view: SessionsView | undefined;
  readonly error: ErrorReport | undefined;
}

/** Sessions of the one server whose page shows them. */
export interface SessionsStore {
  readonly state: StoreApi<SessionsState>;
  /** Loads data now and at every tick of the clock, which stops in a hidden app window. Returns the unsubscribe function. */
  follow(server: string): () => void;
  /** Requests data now, because a click may have changed something. */
  refresh(): void;
}

type GetSessions = (server: string) => Promise<SessionsView>;

const nothing: SessionsState = { server: undefined, view: undefined, error: undefined };

export function createSessionsStore(
  getSessions: GetSessions,
  toReport: (reason: unknown) => ErrorReport,
  clock: ClockStore,
): SessionsStore {
  const state = createStore<SessionsState>(() => nothing);
  const ask = (server: string): Promise<Partial<SessionsState>> =>
    getSessions(server).then(
      (view) => ({ view, error: undefined }),
      (reason: unknown) => ({ error: toReport(reason) }),
    );
  return { state, ...followServer({ state, nothing, ask, clock }) };
}
