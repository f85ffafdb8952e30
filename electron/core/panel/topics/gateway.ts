import type { ClientTools, ClientView, GatewayStatus, ServerSet } from '../../../../shared/gateway.ts';
import type { CallAnswers } from '../../../../shared/ipc/call.ts';
import type {
  ClientChange,
  gatewayCalls,
  NewClient,
  NewSet,
  ToolSwitches,
} from '../../../../shared/ipc/topics/gateway.ts';
import type { WallClock } from '../../clock.ts';
import type { ClientRegistry } from '../../gateway/auth/client-registry.ts';
import type { ClientSessionView } from '../../gateway/session/options.ts';
import type { Gateway } from '../../gateway/gateway.ts';
import type { ClientCalls } from '../../telemetry/calls/client-calls.ts';
import { clientView } from '../client-views.ts';
import { HOUR_MS } from '../../../../shared/units.ts';

export interface GatewayTopicOptions {
  readonly wallClock: WallClock;
  readonly gateway: Pick<Gateway, 'status'>;
  readonly doorkeeper: () => GatewayStatus['doorkeeper'];
  readonly isEnabled: () => boolean;
  readonly servesMetrics: () => boolean;
  readonly clients: ClientRegistry;
  readonly sessions: () => readonly ClientSessionView[];
  readonly calls: Pick<ClientCalls, 'count' | 'since'>;
  readonly clientTools: (clientId: string) => Promise<ClientTools[]>;
  /** Checks that the server exists. @throws PanelError SERVER_UNKNOWN */
  readonly requireServer: (name: string) => void;
}

/** Gateway endpoint and its MCP clients. A token passes through here when it is issued, and is stored nowhere. */
export class GatewayTopic implements CallAnswers<typeof gatewayCalls> {
  readonly #options: GatewayTopicOptions;

  constructor(options: GatewayTopicOptions) {
    this.#options = options;
  }

  status(): GatewayStatus {
    const { clients, gateway, isEnabled, servesMetrics } = this.#options;
    const doorkeeper = this.#options.doorkeeper();
    const { url, port, isListening, error } = gateway.status;
    return {
      url,
      port,
      isListening,
      ...(!isEnabled() && { isOff: true }),
      ...(servesMetrics() && { servesMetrics: true }),
      ...(doorkeeper && { doorkeeper }),
      ...(error && { error }),
      ...(clients.error && { clientsProblem: clients.error.message }),
    };
  }

  /** Creates a client; resolves when it is on disk. @throws PanelError SERVER_UNKNOWN; as `ClientRegistry.create` */
  createClient(wanted: NewClient): Promise<{ id: string; token: string }> {
    for (const server of wanted.servers ?? []) this.#options.requireServer(server);
    return this.#options.clients.create(wanted);
  }

  /** Clients in the order in which they were created. */
  listClients(): ClientView[] {
    const { calls, clients, wallClock } = this.#options;
    const now = wallClock.epochMs();
    const sessions = this.#options.sessions();
    return clients.list().map((client) => {
      const minutes = calls.since(client.id, now - HOUR_MS);
      return clientView(client, sessions, { ...calls.count(client.id), minutes }, now);
    });
  }

  /** Revokes a client. @throws PanelError as `ClientRegistry.revoke` */
  revokeClient(id: string): Promise<void> {
    return this.#options.clients.revoke(id);
  }

  /** Changes what a client may use. @throws PanelError SERVER_UNKNOWN; as `ClientRegistry.limit` */
  changeClient({ id, servers }: ClientChange): Promise<void> {
    for (const server of servers ?? []) this.#options.requireServer(server);
    return this.#options.clients.limit(id, servers);
  }

  /** What the client sees of each server that it may use. */
  clientTools(id: string): Promise<ClientTools[]> {
    return this.#options.clientTools(id);
  }

  /** Hides tools from a client. @throws PanelError as `ClientRegistry.hide` */
  setTools({ client, server, hidden }: ToolSwitches): Promise<void> {
    return this.#options.clients.hide(client, server, hidden);
  }

  sets(): ServerSet[] {
    return [...this.#options.clients.sets];
  }

  /** Adds or replaces a set. @throws PanelError SERVER_UNKNOWN; as `ClientRegistry.putSet` */
  putSet({ name, servers, tools = {} }: NewSet): Promise<void> {
    for (const server of servers) this.#options.requireServer(server);
    const shown = Object.entries(tools).map(([server, names]) => ({ server, tools: names }));
    return this.#options.clients.putSet({ name, servers, tools: shown });
  }

  /** Renews a client's token. @throws PanelError as `ClientRegistry.renew` */
  async renewClient(id: string): Promise<{ token: string }> {
    const { token } = await this.#options.clients.renew(id);
    return { token };
  }
}
