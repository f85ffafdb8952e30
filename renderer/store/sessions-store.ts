import { createStore, type StoreApi } from 'zustand/vanilla';
import type { SessionsView } from '../../shared/domain.ts';
import type { ErrorReport } from '../../shared/error-codes.ts';
import type { ClockStore } from './clock-store.ts';

export interface SessionsState {
  /** Server whose sessions these are; undefined while nobody looks at any. */
  readonly server: string | undefined;
  readonly view: SessionsView | undefined;
  readonly error: ErrorReport | undefined;
}

/** Sessions of the one server whose page shows them. */
export interface SessionsStore {
  readonly state: StoreApi<SessionsState>;
  /** Asks now and at every tick of the clock, which pauses with the window. Returns the undo. */
  follow(server: string): () => void;
  /** Asks now, because a click may have changed something. */
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
  let ask: (() => void) | undefined;

  function follow(server: string): () => void {
    let asked = 0;
    let answered = 0;
    state.setState({ ...nothing, server });

    // Answers count only in order: one that a later answer has overtaken is old.
    const receive = (number: number, change: Partial<SessionsState>) => {
      if (number <= answered || state.getState().server !== server) return;
      answered = number;
      state.setState(change);
    };
    const askOnce = () => {
      asked += 1;
      const number = asked;
      getSessions(server).then(
        (view) => receive(number, { view, error: undefined }),
        (reason: unknown) => receive(number, { error: toReport(reason) }),
      );
    };

    const stopTicking = clock.subscribe(askOnce);
    ask = askOnce;
    askOnce();
    return () => {
      stopTicking();
      if (ask !== askOnce) return;
      ask = undefined;
      state.setState(nothing);
    };
  }

  return { state, follow, refresh: () => ask?.() };
}
