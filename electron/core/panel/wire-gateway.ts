import type { Settings } from '../../../shared/settings.ts';
import { askToLeave } from '../doorkeeper/leave.ts';
import { ServedServersFile } from '../doorkeeper/served-servers.ts';
import { type ListeningStatus, Gateway } from '../gateway/gateway.ts';
import { createNonce } from '../gateway/auth/tokens.ts';
import { serverKey } from '../config/server-key.ts';
import { catalogueKey } from '../gateway/catalogue/catalogue.ts';
import { ClientSessions } from '../gateway/session/client-sessions.ts';
import { cutText } from '../../../shared/cut-text.ts';
import type { RelayedCall } from '../gateway/session/options.ts';
import { ClientEvents } from './client-events.ts';
import { followServers, openCatalogue } from './wire-catalogue.ts';
import { clientToolsOf, offersFor, wireCombined } from './wire-combined.ts';
import { offeredToolsTopic } from './topics/offered-tools.ts';
import type { GatewayDeps } from './gateway-deps.ts';
import { gatewayTopic } from './topics/gateway.ts';
import { StandBy, type QuitWay } from '../doorkeeper/stand-by.ts';
import type { ServerSupervisor } from '../supervisor/server-supervisor.ts';
import { messageOf } from '../../../shared/message-of.ts';

export type GatewayParts = ReturnType<typeof wireGateway>;

/**
 * Builds the gateway, through which MCP clients reach the servers, and everything that belongs to it. The gateway does not
 * listen before `start` is called.
 */
export function wireGateway(deps: GatewayDeps) {
  const { clients } = deps.files;
  const events = clientEvents(deps);
  const catalogue = openCatalogue(deps);
  void catalogue.prune();
  const offers = offersFor(deps, catalogue);
  const clientSessions = wireClientSessions(deps, offers, events);
  const gateway = wireListener(deps, clientSessions, events);
  followClients(deps, clientSessions, events);
  followServers(deps, catalogue, clientSessions);
  const doorkeeper = wireDoorkeeper(deps);
  return {
    offeredTools: offeredToolsTopic(deps, deps.fleet, catalogue),
    topic: gatewayTopic(deps, {
      ...deps,
      ...{ clientSessions, gateway, standBy: doorkeeper?.standBy },
      clientTools: clientToolsOf(deps, offers),
    }),
    /** Starts listening. Called before any server starts, so that no client finds the port closed. Never rejects. */
    start: () => {
      void doorkeeper?.adapt();
      return gateway.start();
    },
    settingsChanged: () => {
      void doorkeeper?.adapt();
      return gateway.settingsChanged();
    },
    /** Called when the panel begins to quit, to tell the doorkeeper (the process that takes over the port) how the panel ends. */
    quits: (word: QuitWay) => doorkeeper?.standBy.quits(word),
    /** Stops listening. Calls in progress are cancelled first, so that their clients get an answer. Never rejects. */
    stop: async () => {
      clientSessions.dispose();
      await gateway.stop();
      await doorkeeper?.letGo();
      events.dispose();
      await catalogue.dispose();
      await clients.dispose();
    },
  };
}

const settingsOf =
  ({ settings }: GatewayDeps['files']) =>
  (): Settings['gateway'] =>
    settings.current.settings.gateway;

function clientEvents({ options: { clock }, files: { clients, journal } }: GatewayDeps): ClientEvents {
  return new ClientEvents({
    clock,
    logEvent: (server, kind, detail) => journal.append(server, kind, detail),
    client: (id) => {
      const known = clients.find(id);
      if (!known) return undefined;
      const { name, scopes } = known;
      return { name, hasSessions: scopes.includes('mcp') };
    },
  });
}

/** Creates the sessions of MCP clients, which pass on the clients' calls to the panel's servers. */
function wireClientSessions(
  deps: GatewayDeps,
  offers: ReturnType<typeof offersFor>,
  events: ClientEvents,
): ClientSessions {
  const { clientCalls, files, fleet, history, options, ownRuns, sessions, sharing, signals } = deps;
  const { journal, notice, sessionIds } = files;
  const { clock, wallClock, randomBytes } = options;
  const settings = settingsOf(files);
  const audit = auditor(deps);
  const clientSessions: ClientSessions = new ClientSessions(
    {
      ...offers,
      clock,
      wallClock,
      sessions,
      startOnDemand: () => settings().startOnDemand,
      onTurnWaited: (wait) => sessions.turnWaited(wait),
      onAnswerOrder: (name, order) => {
        const config = fleet.find(name)?.config;
        if (config?.transport !== 'stdio' || !sharing.answered(config, order)) return;
        if (sharing.of(config).answersInTurn)
          notice(`${name}: it answers one call at a time, so calls of clients wait for each other`);
        signals.figuresChanged.emit(name);
      },
      sessionIds,
      createNonce: () => createNonce(randomBytes),
      askIdPrefix: createNonce(randomBytes),
      onAskRefused: (refusal) => events.askRefused(refusal),
      approvals: files.approvals,
      ownRuns,
      onCallEnded: (call) => {
        const { clientId, clientName, server, outcome, durationMs } = call;
        clientCalls.recordClientCall(clientId, { clientName, server, outcome, durationMs });
        history.recorder.callEnded(server, { outcome, durationMs }, clientId);
        audit(call);
        const config = fleet.find(server)?.config;
        const client = { id: clientId, name: clientName };
        if (config)
          sessions.clientCalled(server, client, () => [
            ...offers.catalogue.tools(catalogueKey(serverKey(config))).keys(),
          ]);
      },
      onChange: () => {
        if (events.awaitsSession) events.sessionsChanged(clientSessions.views());
      },
      redact: (text) => journal.redactText(text),
    },
    wireCombined(deps, offers),
  );
  return clientSessions;
}

/** Maximum characters of a call's arguments in the audit list. */
const MAX_ARGUMENTS = 4000;

/** Returns a function that records tool calls in the audit list, with their arguments if the user has enabled that. */
function auditor({
  files: { journal, settings },
  history: { recorder },
}: GatewayDeps): (call: Omit<RelayedCall, 'clientId'>) => void {
  return ({ clientName: client, server, method, target: tool = '', outcome, durationMs, ...call }) => {
    if (method !== 'tools/call') return;
    const { digest, approvedBy, bytes, isToolError, arguments: given } = call;
    const isWanted = settings.current.settings.audit.arguments && given !== undefined;
    const text = isWanted ? journal.redactOnce(JSON.stringify(given)) : undefined;
    const shown = text === undefined ? undefined : cutText(text, MAX_ARGUMENTS, 'end').text;
    const outside = { digest, approvedBy, isToolError: isToolError || undefined, arguments: shown };
    const sizes = { bytesIn: bytes?.in, bytesOut: bytes?.out };
    recorder.audited({
      client,
      server,
      tool,
      outcome,
      durationMs: Math.round(durationMs),
      ...outside,
      ...sizes,
    });
  };
}

/** Creates the gateway: the HTTP listener and the authentication of clients. */
function wireListener(deps: GatewayDeps, clientSessions: ClientSessions, events: ClientEvents): Gateway {
  const { currentTask, files, options, pages, reader } = deps;
  const { clock, wallClock } = options;
  const { clients, notice, ownEndpoint, servers, sessionIds } = files;
  const settings = settingsOf(files);
  return new Gateway({
    clock,
    wallClock,
    settings,
    clients,
    askToLeave: (port) => askToLeave(port, sessionIds, wallClock.epochMs()),
    edge: clientSessions,
    currentTask,
    reader,
    pages: () => (settings().metrics ? pages : {}),
    onStatus: (status) => {
      notice(statusLine(status, settings().enabled));
      // Entries of servers.json with the new port are now addresses of the panel itself, so the file is checked again.
      if (ownEndpoint.listensAt(status.port)) servers.refresh();
    },
    onRefused: (...refusal) => events.refused(...refusal),
    onFault: (error) => notice(`gateway: ${messageOf(error)}`),
  });
}

/** Passes on changes of clients.json to the sessions, the events and the call counts. */
function followClients(
  { clientCalls, files: { clients, notice } }: GatewayDeps,
  clientSessions: ClientSessions,
  events: ClientEvents,
): void {
  /** Client names by client id. Kept here because an event about a removed client still needs its name. */
  const names = new Map<string, string>();
  const learnNames = () => {
    for (const { id, name } of clients.list()) names.set(id, name);
  };
  learnNames();
  clients.changed.subscribe(() => {
    learnNames();
    if (clients.error) notice(clients.error.message);
  });
  clients.arrived.subscribe((id) => events.arrived(id));
  clients.tokenEnded.subscribe((id) => clientSessions.clientRevoked(id));
  clients.offerChanged.subscribe((id) => clientSessions.toolsSwitched(id));
  clients.revoked.subscribe((id) => {
    events.revoked(names.get(id) ?? id);
    names.delete(id);
    clientCalls.forget(id);
  });
}

/** Returns the status of the gateway as one line for the terminal. */
function statusLine({ error, isListening, url }: ListeningStatus, isEnabled: boolean): string {
  if (error) return [error.message, error.remedy].filter((words) => words !== undefined).join(' ');
  if (isListening) return `clients reach the servers at ${url}`;
  return isEnabled ? 'clients can no longer reach the servers' : 'the endpoint for clients is off';
}

/**
 * Builds the doorkeeper (the process that keeps the port while the panel is not running) and the file that tells it which
 * servers the panel serves.
 */
function wireDoorkeeper({
  files: { clients, notice, rewrites, sessionIds, settings },
  fleet,
  options: { clock, home, startDoorkeeper: start },
  sharing,
  signals,
}: GatewayDeps) {
  if (!start) return undefined;
  const standBy = new StandBy({
    clock,
    start,
    isWanted: () => {
      const { enabled, port } = settings.current.settings.gateway;
      return enabled && port !== 0 && clients.list().some(({ scopes }) => scopes.includes('mcp'));
    },
    notice,
  });
  const servedOf = ({ config }: ServerSupervisor) => {
    const file = sessionIds.nameOf(serverKey(config));
    return [config.name, { key: file, isShared: sharing.of(config).mode === 'shared' }] as const;
  };
  const served = new ServedServersFile({
    home,
    clock,
    node: () => standBy.node,
    servers: () => fleet.supervisors.map(servedOf),
    notice,
  });
  const adapt = async () => {
    await standBy.adapt();
    served.changed();
  };
  clients.changed.subscribe(() => void adapt());
  for (const changes of [signals.stateChanged, signals.fleetChanged, rewrites])
    changes.subscribe(() => served.changed());
  const letGo = async () => {
    await served.dispose();
    await standBy.letGo();
  };
  return { adapt, letGo, standBy };
}
