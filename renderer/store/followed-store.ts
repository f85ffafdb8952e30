import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ErrorReport } from '../../shared/error-codes.ts';
import type { ClockStore } from './clock-store.ts';
import { createPolledStore, type PolledState, type PolledStore } from './polled-store.ts';

interface Followed<View> {
  readonly view: View | undefined;
}

interface FollowedState<View> extends PolledState<Followed<View>> {
  /** Server that `view` is of; undefined while no page shows one. */
  readonly server: string | undefined;
}

/** What a page shows of its server alone: its processes, its sessions. */
export interface FollowedStore<View> {
  readonly state: StoreApi<FollowedState<View>>;
  /** Loads data now and at every tick of the clock, which stops in a hidden app window. Returns the unsubscribe function. */
  readonly follow: (server: string) => () => void;
  /** Requests data now, because a click changed it. */
  readonly refresh: () => void;
}

const nothing = { server: undefined, view: undefined, error: undefined };

export function createFollowedStore<View>(
  read: (server: string) => Promise<View>,
  toReport: (reason: unknown) => ErrorReport,
  clock: ClockStore,
): FollowedStore<View> {
  const state = createStore<FollowedState<View>>(() => nothing);
  let current: PolledStore<Followed<View>> | undefined;

  function follow(server: string): () => void {
    const own = createPolledStore<Followed<View>>({
      initial: { view: undefined },
      read: async () => ({ view: await read(server) }),
      everyMs: 0,
      ...{ toReport, clock },
    });
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
  }

  return { state, follow, refresh: () => void current?.refresh() };
}
