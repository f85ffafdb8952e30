import type { StoreApi } from 'zustand/vanilla';
import type { ClockStore } from './clock-store.ts';

export interface FollowOptions<State extends { readonly server: string | undefined }> {
  readonly state: StoreApi<State>;
  /** What the state is while nobody looks at any server. */
  readonly nothing: State;
  /** Asks about a server; never rejects. The change is taken only while that server is still the one looked at. */
  readonly ask: (server: string) => Promise<Partial<State>>;
  readonly clock: ClockStore;
}

/** What is known of the one server whose page shows it. */
export interface FollowedServer {
  /** Asks now and at every tick of the clock, which rests with the window. Returns the undo. */
  readonly follow: (server: string) => () => void;
  /** Asks now, and if a question is under way once more behind it: that one may be older than what happened. */
  readonly refresh: () => void;
}

/** Asks one question at a time, so that no answer overtakes another and a slow one is not asked for ever more often. */
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
