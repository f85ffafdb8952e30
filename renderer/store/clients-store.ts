import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ErrorReport } from '../../shared/error-codes.ts';
import type { ClientView, GatewayStatus } from '../../shared/gateway.ts';
import type { ControlPanelApi } from '../../shared/ipc-contract.ts';
import { isSameJson } from '../entry/raw-entry.ts';
import type { ClockStore } from './clock-store.ts';

export interface ClientsState {
  /** Both are undefined until they were told for the first time, and stay as they were while an answer fails. */
  readonly gateway: GatewayStatus | undefined;
  readonly clients: readonly ClientView[] | undefined;
  readonly error: ErrorReport | undefined;
}

/** The endpoint and its clients, while some view shows them. */
export interface ClientsStore {
  readonly state: StoreApi<ClientsState>;
  /** Asks now and at every tick of the clock, until each that follows has undone it. Returns the undo. */
  follow(): () => void;
  /** Asks now, for what a click has just changed, whether anybody follows or not. Never rejects. */
  refresh(): Promise<void>;
}

export type ClientsApi = Pick<ControlPanelApi, 'getGateway' | 'listClients'>;

export function createClientsStore(
  api: ClientsApi,
  toReport: (reason: unknown) => ErrorReport,
  clock: ClockStore,
): ClientsStore {
  const state = createStore<ClientsState>(() => ({
    gateway: undefined,
    clients: undefined,
    error: undefined,
  }));
  let followers = 0;
  let stopTicking: (() => void) | undefined;
  let asked = 0;
  let answered = 0;

  // Only ever forward, because an answer that was overtaken by a later one is old.
  const receive = (number: number, change: Partial<ClientsState>) => {
    if (number <= answered) return;
    answered = number;
    const before = state.getState();
    const isNews = Object.entries(change).some(
      ([key, value]) => !isSameJson(before[key as keyof ClientsState], value),
    );
    if (isNews) state.setState(change);
  };

  async function refresh(): Promise<void> {
    asked += 1;
    const number = asked;
    try {
      const [gateway, clients] = await Promise.all([api.getGateway(), api.listClients()]);
      receive(number, { gateway, clients, error: undefined });
    } catch (reason) {
      receive(number, { error: toReport(reason) });
    }
  }

  function follow(): () => void {
    followers += 1;
    stopTicking ??= clock.subscribe(() => void refresh());
    void refresh();
    let isFollowing = true;
    return () => {
      if (!isFollowing) return;
      isFollowing = false;
      followers -= 1;
      if (followers > 0) return;
      stopTicking?.();
      stopTicking = undefined;
    };
  }

  return { state, follow, refresh };
}
