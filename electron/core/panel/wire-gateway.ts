import { join } from 'node:path';
import type { Settings } from '../../../shared/settings.ts';
import type { Doing } from '../doing.ts';
import { type GatewayStatus, Gateway } from '../gateway/gateway.ts';
import { createNonce } from '../gateway/auth/tokens.ts';
import { isJsonObject } from '../../../shared/json-object.ts';
import type { ServerConfig } from '../../../shared/server-config.ts';
import { serverKey } from '../config/server-key.ts';
import { Catalogue, catalogueKey } from '../gateway/catalogue/catalogue.ts';
import type { OwnRuns } from '../gateway/session/own-runs.ts';
import { ClientSessions } from '../gateway/session/client-sessions.ts';
import { slotOfClient } from '../gateway/upstream/client-capabilities.ts';
import type { ClientSessionsOptions, GatewayServer } from '../gateway/session/options.ts';
import type { LongReader } from '../mcp/worker/questions.ts';
import type { Sharing } from '../sessions/sharing/sharing.ts';
import type { ServerSupervisor } from '../supervisor/server-supervisor.ts';
import type { Fleet } from '../supervisor/fleet.ts';
import type { ClientCalls } from '../telemetry/calls/client-calls.ts';
import type { EndedCall } from '../telemetry/calls/ended-call.ts';
import { ClientEvents } from './client-events.ts';
import type { GatewayPages } from './gateway-pages.ts';
import type { OpenedFiles } from './open-files.ts';
import type { ControlPanelOptions } from './panel-options.ts';
import { GatewayTopic } from './topics/gateway.ts';
import { messageOf } from '../../../shared/message-of.ts';

export interface GatewayDeps {
  readonly options: Pick<ControlPanelOptions, 'clock' | 'wallClock' | 'randomBytes' | 'home'>;
  readonly files: Pick<
    OpenedFiles,
    'clients' | 'journal' | 'notice' | 'ownEndpoint' | 'servers' | 'sessionIds' | 'settings'
  >;
  readonly fleet: Fleet;
  readonly doing: Doing;
  readonly reader: LongReader;
  readonly ownRuns: Pick<OwnRuns, 'guarding'>;
  readonly sessions: ClientSessionsOptions['sessions'];
  readonly sharing: Pick<Sharing, 'of' | 'askedSince'>;
  readonly onAnswerOrder: ClientSessionsOptions['onAnswerOrder'];
  readonly onTurnWaited: ClientSessionsOptions['onTurnWaited'];
  /** A call of a client is over. @param toolNames of its server, as far as the catalogue knows them */
  readonly onClientCalled: (
    server: string,
    client: { readonly id: string; readonly name: string },
    toolNames: () => readonly string[],
  ) => void;
  readonly calls: ClientCalls;
  /** A call of a client is over for it. */
  readonly onCallEnded: (server: string, end: EndedCall, clientId: string) => void;
  readonly pages: GatewayPages;
}

/** The parts of the panel that other programs reach. */
export interface GatewayParts {
  readonly topic: GatewayTopic;
  /** Listens before any server starts, so that no client finds a closed port. Never rejects. */
  start(): Promise<void>;
  settingsChanged(): Promise<void>;
  /** Calls under way are given up first, so that their clients are told. Never rejects. */
  stop(): Promise<void>;
}

/** Builds the gateway on the parts of the panel; nothing listens before `start`. */
export function wireGateway({
  options,
  files,
  fleet,
  doing,
  reader,
  ownRuns,
  sessions,
  sharing,
  onAnswerOrder,
  onTurnWaited,
  onClientCalled,
  calls,
  onCallEnded,
  pages,
}: GatewayDeps): GatewayParts {
  const { clock, wallClock, randomBytes } = options;
  const { clients, journal, notice, ownEndpoint, servers, sessionIds, settings } = files;
  const gatewaySettings = (): Settings['gateway'] => settings.current.settings.gateway;
  const names = new Map<string, string>();
  const learnNames = () => {
    for (const { id, name } of clients.list()) names.set(id, name);
  };
  learnNames();
  const events = new ClientEvents({
    clock,
    logEvent: (server, kind, detail) => journal.append(server, kind, detail),
    client: (id) => {
      const known = clients.list().find((client) => client.id === id);
      return (
        known && {
          name: known.name,
          wasSeen: known.lastSeenAt !== undefined,
          hasSessions: known.scopes.includes('mcp'),
        }
      );
    },
  });
  const catalogue = new Catalogue({ clock, wallClock, folder: join(options.home, 'catalogue'), notice });
  void catalogue.prune();
  const clientSessions = new ClientSessions({
    clock,
    wallClock,
    sessions,
    servers: { find: (name) => gatewayServer(fleet.find(name)) },
    startOnDemand: () => gatewaySettings().startOnDemand,
    catalogue,
    sharingOf: (config, facts) => {
      const decision = sharing.of(config);
      const slot = slotOfClient(decision, facts, sharing.askedSince(config));
      return { slot, answersInTurn: decision.answersInTurn === true };
    },
    onTurnWaited,
    onAnswerOrder,
    sessionIds,
    createNonce: () => createNonce(randomBytes),
    askIdPrefix: createNonce(randomBytes),
    onAskRefused: (refusal) => events.askRefused(refusal),
    onCallEnded: ({ clientId, clientName, server, outcome, durationMs }) => {
      calls.recordClientCall(clientId, { clientName, server, outcome, durationMs });
      onCallEnded(server, { outcome, durationMs }, clientId);
      const config = fleet.find(server)?.config;
      if (config)
        onClientCalled(server, { id: clientId, name: clientName }, () => toolNames(catalogue, config));
    },
    onChange: () => {
      if (events.awaitsSession) events.sessionsChanged(clientSessions.views());
    },
    redact: (text) => journal.redactText(text),
  });
  const gateway = new Gateway({
    clock,
    wallClock,
    settings: gatewaySettings,
    clients: {
      authenticate: (token) => clients.authenticate(token),
      refuseFormer: (token) => clients.refuseFormer(token),
      onTokenEnded: (listener) => clients.onTokenEnded(listener),
      seen: (id, at) => {
        events.aboutToBeSeen(id);
        clients.seen(id, at);
      },
    },
    edge: ownRuns.guarding(clientSessions),
    doing,
    reader,
    pages: () =>
      gatewaySettings().metrics ? { metrics: () => pages.metrics(), healthz: () => pages.healthz() } : {},
    onStatus: (status) => {
      notice(statusLine(status, gatewaySettings().enabled));
      // Entries that lead to the new port are the panel itself from now on.
      if (ownEndpoint.listensAt(status.port)) servers.refresh();
    },
    onRefused: (report) => events.refused(report),
    onFault: (error) => notice(`gateway: ${messageOf(error)}`),
  });
  clients.onChange(() => {
    learnNames();
    if (clients.error) notice(clients.error.message);
  });
  clients.onTokenEnded((id) => clientSessions.clientRevoked(id));
  clients.onRevoked((id) => {
    events.revoked(names.get(id) ?? id);
    names.delete(id);
    calls.forget(id);
  });
  return {
    topic: new GatewayTopic({
      wallClock,
      gateway,
      isEnabled: () => gatewaySettings().enabled,
      servesMetrics: () => gatewaySettings().metrics,
      clients,
      sessions: () => clientSessions.views(),
      calls,
      requireServer: (name) => void fleet.get(name),
    }),
    start: () => gateway.start(),
    settingsChanged: () => gateway.settingsChanged(),
    stop: async () => {
      clientSessions.dispose();
      await gateway.stop();
      events.dispose();
      await catalogue.dispose();
      await clients.dispose();
    },
  };
}

/** A server as the gateway looks at it. */
function gatewayServer(supervisor: ServerSupervisor | undefined): GatewayServer | undefined {
  if (supervisor === undefined) return undefined;
  const { config, stateKind: state, wasStopped } = supervisor;
  return { config, state, wasStopped };
}

/** One line for the terminal. */
function statusLine({ error, isListening, url }: GatewayStatus, isEnabled: boolean): string {
  if (error) return [error.message, error.remedy].filter((words) => words !== undefined).join(' ');
  if (isListening) return `clients reach the servers at ${url}`;
  return isEnabled ? 'no client reaches the servers any more' : 'the endpoint for clients is off';
}

/** A longer list is not parsed at once. */
const MAX_PARSED_BYTES = 512 * 1024;

/** Names of a server's tools as they were last seen; none where that would take long, or is not known. */
function toolNames(catalogue: Catalogue, config: ServerConfig): readonly string[] {
  const { result } = catalogue.list(catalogueKey(serverKey(config)), 'tools/list') ?? {};
  if (!result || result.length > MAX_PARSED_BYTES) return [];
  const { tools } = JSON.parse(result.toString()) as { tools?: unknown };
  if (!Array.isArray(tools)) return [];
  return tools.flatMap((tool: unknown) =>
    isJsonObject(tool) && typeof tool['name'] === 'string' ? [tool['name']] : [],
  );
}
