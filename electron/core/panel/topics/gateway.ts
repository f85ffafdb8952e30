import {
  declarations,
  type ClientTools,
  type ClientUse,
  type ClientView,
} from '../../../../shared/gateway.ts';
import { CLIENT_MINUTES } from '../../../../shared/gateway-use.ts';
import type { CallAnswers } from '../../../../shared/ipc/call.ts';
import type { gatewayCalls } from '../../../../shared/ipc/topics/gateway.ts';
import type { StandBy } from '../../doorkeeper/stand-by.ts';
import type { ClientSessions } from '../../gateway/session/client-sessions.ts';
import type { Gateway } from '../../gateway/gateway.ts';
import type { RegisteredClient } from '../../gateway/auth/client-registry.ts';
import type { ClientSessionView } from '../../gateway/session/options.ts';
import type { CallMinute } from '../../../../shared/call-figures.ts';
import { HOUR_MS, MINUTE_MS } from '../../../../shared/units.ts';
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

/** Requests about the gateway's endpoint and its MCP clients. A token is returned only when it is issued, and is not stored. */
export function gatewayTopic(
  { files: { clients, settings }, options: { wallClock } }: PanelBase,
  { clientCalls, clientSessions, clientTools, fleet, gateway, standBy }: GatewayTopicParts,
) {
  /** Checks that all servers exist. @throws PanelError SERVER_UNKNOWN */
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
    /** Creates a client. Resolves once it is on disk. @throws PanelError SERVER_UNKNOWN; as `ClientRegistry.create` */
    createClient: (wanted) => {
      requireServers(wanted.servers);
      return clients.create(wanted);
    },
    /** Returns the clients in the order in which they were created. */
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
    /** Changes which servers a client may use. @throws PanelError SERVER_UNKNOWN; as `ClientRegistry.limit` */
    changeClient: ({ id, servers }) => {
      requireServers(servers);
      return clients.limit(id, servers);
    },
    /** Returns, for each server that the client may use, the tools that the client sees, including hidden ones. */
    clientTools,
    /** Sets which tools of a server are hidden from a client. @throws PanelError as `ClientRegistry.hide` */
    setTools: ({ client, server, hidden }) => clients.hide(client, server, hidden),
    sets: () => clients.sets,
    /** Adds or replaces a tool set, used as one endpoint. @throws PanelError SERVER_UNKNOWN; as `ClientRegistry.putSet` */
    putSet: ({ name, servers, tools = {} }) => {
      requireServers(servers);
      const shown = Object.entries(tools).map(([server, names]) => ({ server, tools: names }));
      return clients.putSet({ name, servers, tools: shown });
    },
    /** Issues a new token that replaces a client's old one. @throws PanelError as `ClientRegistry.renew` */
    renewClient: async (id) => ({ token: (await clients.renew(id)).token }),
  } satisfies CallAnswers<typeof gatewayCalls>;
}

/** Counts of one MCP client's calls. */
interface ClientFigures {
  readonly calls: number;
  readonly errors: number;
  /** The minutes of the last hour in which the client made calls. */
  readonly minutes: readonly Pick<CallMinute, 'at' | 'calls' | 'errors'>[];
}

/** Returns what the app window shows of an MCP client. @param sessions sessions of all clients @param now epoch milliseconds */
export function clientView(
  client: RegisteredClient,
  sessions: readonly ClientSessionView[],
  { calls, errors, minutes }: ClientFigures,
  now: number,
): ClientView {
  const { id, name, scopes, servers, createdAt = 0, lastSeenAt, refused } = client;
  return {
    id,
    name,
    ...(servers && { servers: [...servers] }),
    scopes: [...scopes],
    createdAt,
    ...(lastSeenAt !== undefined && { lastSeenAt }),
    ...(refused && { refused }),
    calls,
    errors,
    sessions: usesOf(sessions.filter(({ clientId }) => clientId === id)),
    perMinute: perMinute(minutes, now, 'calls'),
    hourErrors: perMinute(minutes, now, 'errors').reduce((sum, count) => sum + count, 0),
  };
}

/** Returns the number of calls or errors in each minute of the last hour, oldest first. The last minute is the one of `now`. */
function perMinute(minutes: ClientFigures['minutes'], now: number, figure: 'calls' | 'errors'): number[] {
  const last = Math.floor(now / MINUTE_MS);
  const counts = Array.from({ length: CLIENT_MINUTES }, () => 0);
  for (const { at, [figure]: count } of minutes) {
    const index = CLIENT_MINUTES - 1 - (last - Math.floor(at / MINUTE_MS));
    if (counts[index] !== undefined) counts[index] += count;
  }
  return counts;
}

/** Returns the sessions of one client, grouped by server and sorted by the servers' names. */
function usesOf(sessions: readonly ClientSessionView[]): ClientUse[] {
  const servers = [...new Set(sessions.map(({ server }) => server))].sort();
  return servers.map((server) =>
    useOf(
      server,
      sessions.filter((session) => session.server === server),
    ),
  );
}

function useOf(server: string, sessions: readonly ClientSessionView[]): ClientUse {
  const waiting = sessions.flatMap(({ inFlight }) => inFlight);
  const oldest = waiting.toSorted((one, other) => other.sinceMs - one.sinceMs)[0];
  const programs = sessions.flatMap(({ info }) => (info ? [`${info.name} ${info.version}`.trim()] : []));
  return {
    server,
    count: sessions.length,
    inFlight: waiting.length,
    ...(oldest && { oldest: { ...oldest } }),
    lastSeenAt: Math.max(...sessions.map(({ lastSeenAt }) => lastSeenAt)),
    declares: declarations.filter((one) =>
      sessions.some(({ capabilities }) => capabilities.split('+').includes(one)),
    ),
    programs: [...new Set(programs)],
    protocols: [...new Set(sessions.map(({ protocolVersion }) => protocolVersion))].sort(),
    contextIds: sessions.map(({ contextId }) => contextId),
  };
}
