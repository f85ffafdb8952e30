import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ErrorReport } from '../../shared/error-codes.ts';
import type { ClientView, GatewayStatus } from '../../shared/gateway.ts';
import type { ControlPanelApi } from '../../shared/ipc-contract.ts';
import { isSameJson } from '../entry/raw-entry.ts';
import type { ClockStore } from './clock-store.ts';

export interface ClientsState {
  /** Status of the gateway. Like `clients` it is undefined until the first answer; both keep their values while requests fail. */
  readonly gateway: GatewayStatus | undefined;
  readonly clients: readonly ClientView[] | undefined;
  readonly error: ErrorReport | undefined;
}

/** Gateway status and MCP clients, updated while a view shows them. */
export interface ClientsStore {
  readonly state: StoreApi<ClientsState>;
  /** Loads the state now and at every tick until all followers have unsubscribed. Returns the unsubscribe function. */
  follow(): () => void;
  /** Requests the state now because a click changed it, with or without followers. Never rejects. */
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

  // An answer that arrives after the answer to a later request is dropped, because it is old.
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
