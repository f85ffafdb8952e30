import type { ErrorReport } from '../../shared/error-codes.ts';
import type { ClientView, GatewayStatus } from '../../shared/gateway.ts';
import type { ControlPanelApi } from '../../shared/ipc-contract.ts';
import type { ClockStore } from './clock-store.ts';
import { createPolledStore, type PolledState, type PolledStore } from './polled-store.ts';

/** Gateway status and MCP clients; both undefined until the first answer. */
interface Clients {
  readonly gateway: GatewayStatus | undefined;
  readonly clients: readonly ClientView[] | undefined;
}

export type ClientsState = PolledState<Clients>;
export type ClientsStore = PolledStore<Clients>;

export const createClientsStore = (
  api: Pick<ControlPanelApi, 'getGateway' | 'listClients'>,
  toReport: (reason: unknown) => ErrorReport,
  clock: ClockStore,
): ClientsStore =>
  createPolledStore<Clients>({
    initial: { gateway: undefined, clients: undefined },
    read: async () => {
      const [gateway, clients] = await Promise.all([api.getGateway(), api.listClients()]);
      return { gateway, clients };
    },
    // At every tick.
    everyMs: 0,
    toReport,
    clock,
  });
