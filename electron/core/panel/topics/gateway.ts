import type { ClientTools } from '../../../../shared/gateway.ts';
import type { CallAnswers } from '../../../../shared/ipc/call.ts';
import type { gatewayCalls } from '../../../../shared/ipc/topics/gateway.ts';
import type { StandBy } from '../../doorkeeper/stand-by.ts';
import type { ClientSessions } from '../../gateway/session/client-sessions.ts';
import type { Gateway } from '../../gateway/gateway.ts';
import { clientView } from '../client-views.ts';
import { HOUR_MS } from '../../../../shared/units.ts';
import type { Fleet } from '../../supervisor/fleet.ts';
import type { ClientCalls } from '../../telemetry/calls/client-calls.ts';
import type { PanelBase } from '../panel-base.ts';

interface GatewayTopicParts {
  readonly clientCalls: ClientCalls;
  readonly fleet: Fleet;
  readonly gateway: Pick<Gateway, 'status'>;
  readonly standBy: StandBy | undefined;
  readonly clientSessions: Pick<ClientSessions, 'views'>;
  readonly clientTools: (clientId: string) => Promise<ClientTools[]>;
}

export type GatewayTopic = ReturnType<typeof gatewayTopic>;

/** Gateway endpoint and its MCP clients. A token passes through here when it is issued, and is stored nowhere. */
export function gatewayTopic(
  { files: { clients, settings }, options: { wallClock } }: PanelBase,
  { clientCalls, clientSessions, clientTools, fleet, gateway, standBy }: GatewayTopicParts,
) {
  /** @throws PanelError SERVER_UNKNOWN */
  const requireServers = (names: readonly string[] = []) => {
    for (const name of names) fleet.get(name);
  };
  return {
    status: () => {
      const { url, port, isListening, error } = gateway.status;
      const { enabled, metrics } = settings.current.settings.gateway;
      return {
        url,
        port,
        isListening,
        ...(!enabled && { isOff: true }),
        ...(metrics && { servesMetrics: true }),
        ...(standBy?.status && { doorkeeper: standBy.status }),
        ...(error && { error }),
        ...(clients.error && { clientsProblem: clients.error.message }),
      };
    },
    /** Creates a client; resolves when it is on disk. @throws PanelError SERVER_UNKNOWN; as `ClientRegistry.create` */
    createClient: (wanted) => {
      requireServers(wanted.servers);
      return clients.create(wanted);
    },
    /** Clients in the order in which they were created. */
    listClients: () => {
      const now = wallClock.epochMs();
      const sessions = clientSessions.views();
      return clients.list().map((client) => {
        const minutes = clientCalls.since(client.id, now - HOUR_MS);
        return clientView(client, sessions, { ...clientCalls.count(client.id), minutes }, now);
      });
    },
    /** Revokes a client. @throws PanelError as `ClientRegistry.revoke` */
    revokeClient: (id) => clients.revoke(id),
    /** Changes what a client may use. @throws PanelError SERVER_UNKNOWN; as `ClientRegistry.limit` */
    changeClient: ({ id, servers }) => {
      requireServers(servers);
      return clients.limit(id, servers);
    },
    /** What the client sees of each server that it may use. */
    clientTools,
    /** Hides tools from a client. @throws PanelError as `ClientRegistry.hide` */
    setTools: ({ client, server, hidden }) => clients.hide(client, server, hidden),
    sets: () => clients.sets,
    /** Adds or replaces a set. @throws PanelError SERVER_UNKNOWN; as `ClientRegistry.putSet` */
    putSet: ({ name, servers, tools = {} }) => {
      requireServers(servers);
      const shown = Object.entries(tools).map(([server, names]) => ({ server, tools: names }));
      return clients.putSet({ name, servers, tools: shown });
    },
    /** Renews a client's token. @throws PanelError as `ClientRegistry.renew` */
    renewClient: async (id) => ({ token: (await clients.renew(id)).token }),
  } satisfies CallAnswers<typeof gatewayCalls>;
}
