import { thisMachine } from '../config/import/this-machine.ts';
import { OwnRuns } from '../gateway/session/own-runs.ts';
import { SHARED_CAPABILITIES } from '../gateway/upstream/client-capabilities.ts';
import type { LogBook } from '../logs/log-book.ts';
import { SecretResolver } from '../secrets/secret-resolver.ts';
import { Sharing } from '../sessions/sharing/sharing.ts';
import { SupervisedSessions } from '../sessions/supervised-sessions.ts';
import { Fleet } from '../supervisor/fleet.ts';
import type { ServerSupervisor } from '../supervisor/server-supervisor.ts';
import type { PanelBase } from './panel-base.ts';
import type { ServerConfig } from '../../../shared/server-config.ts';
import { SignIns } from '../sign-in/sign-ins.ts';
import { createHttpClient } from '../supervisor/remote/http-client.ts';
import { SupervisorFactory } from './supervisor-factory.ts';

export type ServersParts = ReturnType<typeof wireServers>;

/** Builds the supervisors that run the servers, and the sessions with servers. */
export function wireServers(base: PanelBase, book: LogBook) {
  const { options, files, signals } = base;
  const { clock, wallClock } = options;
  const { consents, journal, notice, secretNotes, secrets, settings } = files;
  const resolver = new SecretResolver({
    ...{ store: secrets, notes: secretNotes, wallClock },
    isOldAgreement: (config) => consents.isOfFirstUse(config),
    environment: async () => (await thisMachine(options)).environment,
    declare: (values) => journal.setDeclared(values),
  });
  const ownRuns = new OwnRuns({
    createToken: options.createToken,
    isUp: (name): boolean => fleet.find(name)?.connection !== undefined,
    redact: (text) => journal.redactText(text),
  });
  // A server sends requests only for capabilities that were declared to it. Without the gateway there are no MCP clients to
  // answer such requests, so no capabilities are declared.
  const forClients = settings.current.settings.gateway.enabled ? SHARED_CAPABILITIES : undefined;
  const signIn = wireSignIn(base, () => fleet);
  const supervisors = new SupervisorFactory(
    base,
    { ...signIn, book, ownRuns, resolver },
    options.clientCapabilities ?? forClients,
  );
  const fleet: Fleet = new Fleet({
    createSupervisor: (config) => supervisors.create(config),
    onRemoved: (name) => {
      signals.serverRemoved.emit(name);
      signals.fleetChanged.emit();
    },
  });
  const sharing = wireSharing(base, fleet);
  const sessions = new SupervisedSessions<ServerSupervisor>({
    clock,
    wallClock,
    servers: {
      get: (name) => fleet.get(name),
      onStateChange: (listener) => signals.stateChanged.subscribe(({ server }) => listener(server)),
    },
    createInstance: (...instance) => supervisors.create(...instance),
    sharingOf: (config) => sharing.of(config),
    onChange: (name) => signals.figuresChanged.emit(name),
    notice,
  });
  return { ...signIn, fleet, ownRuns, resolver, sessions, sharing, supervisors };
}

/** Builds the part that decides, from how servers have behaved, whether clients may share an instance. */
function wireSharing({ options, files, signals }: PanelBase, fleet: Fleet): Sharing {
  const sharing = new Sharing({
    lessons: files.observedSharing.lessons,
    versionOf: ({ name }) => fleet.find(name)?.connection?.greeting?.serverInfo.version,
    epochMs: () => options.wallClock.epochMs(),
  });
  signals.stateChanged.subscribe(({ server: name }) => {
    const server = fleet.find(name);
    if (server) sharing.runChanged(server.config);
  });
  // Open sessions keep their instance; the observation that the server sends requests to clients applies only to new sessions.
  signals.askedBack.subscribe(({ server: name, method }) => {
    const server = fleet.find(name);
    if (!server || !sharing.asked(server.config, method)) return;
    const { mode, reason, words } = sharing.of(server.config);
    if (mode === 'exclusive' && reason === 'learnt') files.notice(`${name}: ${words}`);
    signals.figuresChanged.emit(name);
  });
  return sharing;
}

/**
 * Builds the sign-ins to remote servers. A server that failed because a sign-in was required is started after the sign-in.
 * @param fleet returns the fleet; called later, because the fleet is built after the sign-ins
 */
function wireSignIn({ options, files: { journal, secrets: store }, signals }: PanelBase, fleet: () => Fleet) {
  const { clock, wallClock, randomBytes } = options;
  const signIns = new SignIns({
    ...{ clock, wallClock, store, openHttp: createHttpClient },
    createVerifier: () => randomBytes(32).toString('base64url'),
    onChanged: (name) => signals.serverChanged.emit(name),
    onSignedIn: (name) => {
      const server = fleet().find(name);
      if (server?.stateKind === 'failed' && server.view().lastError?.code === 'SIGN_IN_REQUIRED')
        server.start('configuration').catch(() => undefined);
    },
    declare: (tokens) => journal.setDeclared(tokens),
  });
  return {
    signIns,
    signInOf: (config: ServerConfig) => (config.transport === 'stdio' ? undefined : signIns.view(config)),
  };
}
