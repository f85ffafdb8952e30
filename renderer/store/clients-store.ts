import type { ClientView, GatewayStatus } from '../../shared/gateway.ts';
import type { ControlPanelApi } from '../../shared/ipc-contract.ts';
import type { ClockStore } from './clock-store.ts';
import { createPolledStore, type PolledState } from './polled-store.ts';

/** Gateway status and MCP clients; both undefined until the first answer. */
interface Clients {
  readonly gateway: GatewayStatus | undefined;
  readonly clients: readonly ClientView[] | undefined;
}

export type ClientsState = PolledState<Clients>;
export type ClientsStore = ReturnType<typeof createClientsStore>;

export const createClientsStore = (
  api: Pick<ControlPanelApi, 'getGateway' | 'listClients'>,
  clock: ClockStore,
) =>
  createPolledStore<Clients>(
    { gateway: undefined, clients: undefined },
    async () => {
      const [gateway, clients] = await Promise.all([api.getGateway(), api.listClients()]);
      return { gateway, clients };
    },
    clock,
  );
