import type { StoreApi } from 'zustand/vanilla';
import type { ClockStore } from './clock-store.ts';

export interface FollowOptions<State extends { readonly server: string | undefined }> {
  readonly state: StoreApi<State>;
  /** State while no server is followed. */
  readonly nothing: State;
  /** Requests data of a server; never rejects. The result is applied only if that server is still followed. */
  readonly ask: (server: string) => Promise<Partial<State>>;
  readonly clock: ClockStore;
}

/** Data of the one server whose page is open. */
export interface FollowedServer {
  /** Loads data now and at every tick of the clock, which stops in a hidden app window. Returns the unsubscribe function. */
  readonly follow: (server: string) => () => void;
  /**
   * Requests data now. If a request is pending, another one follows it, because the answer to the pending one may be older
   * than the change.
   */
  readonly refresh: () => void;
}

/** Makes one request at a time, so that answers arrive in order and a slow server does not get ever more requests. */
export function followServer<State extends { readonly server: string | undefined }>(
  options: FollowOptions<State>,
): FollowedServer {
  const { state, nothing, ask, clock } = options;
  let refreshCurrent: (() => void) | undefined;

  function follow(server: string): () => void {
    let isAsking = false;
    let isDue = false;
    const askUnlessAsking = () => {
      if (isAsking) return;
      isAsking = true;
      isDue = false;
      void ask(server).then((change) => {
        isAsking = false;
        if (refreshCurrent !== refresh) return;
        state.setState(change);
        if (isDue) askUnlessAsking();
      });
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

  return { follow, refresh: () => refreshCurrent?.() };
}
