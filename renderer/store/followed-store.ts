import { createStore } from 'zustand/vanilla';
import type { ClockStore } from './clock-store.ts';
import { createPolledStore, type PolledState } from './polled-store.ts';

interface Followed<View> {
  readonly view: View | undefined;
}

interface FollowedState<View> extends PolledState<Followed<View>> {
  /** Server that `view` is of; undefined while no page shows one. */
  readonly server: string | undefined;
}

const nothing = { server: undefined, view: undefined, error: undefined };

export type FollowedStore<View> = ReturnType<typeof createFollowedStore<View>>;

/** What a page shows of its server alone: its processes, its sessions. */
export function createFollowedStore<View>(read: (server: string) => Promise<View>, clock: ClockStore) {
  const state = createStore<FollowedState<View>>(() => nothing);
  let current: { readonly refresh: () => Promise<void> } | undefined;
  return {
    state,
    /** Loads data now and at every tick of the clock, which stops in a hidden app window. Returns the unsubscribe function. */
    follow(server: string): () => void {
      const own = createPolledStore<Followed<View>>(
        { view: undefined },
        async () => ({ view: await read(server) }),
        clock,
      );
      current = own;
      state.setState({ ...nothing, server });
      const stopReading = own.state.subscribe((news) => state.setState(news));
      const stopAsking = own.follow();
      return () => {
        stopAsking();
        stopReading();
        if (current !== own) return;
        current = undefined;
        state.setState(nothing);
      };
    },
    /** Requests data now, because a click changed it. */
    refresh: () => void current?.refresh(),
  };
}
