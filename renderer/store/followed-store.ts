import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ErrorReport } from '../../shared/error-codes.ts';
import type { ClockStore } from './clock-store.ts';

export interface FollowedState<View> {
  /** Server that `view` is of; undefined while no page shows one. */
  readonly server: string | undefined;
  readonly view: View | undefined;
  readonly error: ErrorReport | undefined;
}

/** What a page shows of its server alone: its processes, its sessions. */
export interface FollowedStore<View> {
  readonly state: StoreApi<FollowedState<View>>;
  /** Loads data now and at every tick of the clock, which stops in a hidden app window. Returns the unsubscribe function. */
  readonly follow: (server: string) => () => void;
  /**
   * Requests data now. If a request is pending, another one follows it, because the answer to the pending one may be older
   * than the change.
   */
  readonly refresh: () => void;
}

const nothing = { server: undefined, view: undefined, error: undefined };

/** Makes one request at a time, so that answers arrive in order and a slow server does not get ever more requests. */
export function createFollowedStore<View>(
  read: (server: string) => Promise<View>,
  toReport: (reason: unknown) => ErrorReport,
  clock: ClockStore,
): FollowedStore<View> {
  const state = createStore<FollowedState<View>>(() => nothing);
  let refreshCurrent: (() => void) | undefined;

  function follow(server: string): () => void {
    let isAsking = false;
    let isDue = false;
    const receive = (change: Partial<FollowedState<View>>) => {
      isAsking = false;
      if (refreshCurrent !== refresh) return;
      state.setState(change);
      if (isDue) askUnlessAsking();
    };
    const askUnlessAsking = () => {
      if (isAsking) return;
      isAsking = true;
      isDue = false;
      void read(server).then(
        (view) => receive({ view, error: undefined }),
        (reason: unknown) => receive({ error: toReport(reason) }),
      );
    };
    const refresh = () => {
      isDue = isAsking;
      askUnlessAsking();
    };
    refreshCurrent = refresh;
    state.setState({ ...nothing, server });
    const stopTicking = clock.subscribe(askUnlessAsking);
    askUnlessAsking();
    return () => {
      stopTicking();
      if (refreshCurrent !== refresh) return;
      refreshCurrent = undefined;
      state.setState(nothing);
    };
  }

  return { state, follow, refresh: () => refreshCurrent?.() };
}
