import { join } from 'node:path';
import { EngineRecords } from '../supervisor/custody/engine-record.ts';
import type { CurrentTask } from '../current-task.ts';
import { OwnRuns } from '../gateway/session/own-runs.ts';
import { SHARED_CAPABILITIES } from '../gateway/upstream/client-capabilities.ts';
import type { LogBook } from '../logs/log-book.ts';
import type { MessageThread } from '../mcp/message-thread.ts';
import { Sharing } from '../sessions/sharing/sharing.ts';
import { SupervisedSessions } from '../sessions/supervised-sessions.ts';
import { Fleet } from '../supervisor/fleet.ts';
import type { ServerSupervisor } from '../supervisor/server-supervisor.ts';
import { engineNews } from './engine-news.ts';
import type { OpenedFiles } from './open-files.ts';
import type { ControlPanelOptions } from './panel-options.ts';
import type { PanelSignals } from './panel-signals.ts';
import { createResolver } from './wire-secrets.ts';
import { wireSignIn } from './wire-sign-in.ts';
import { SupervisorFactory } from './supervisor-factory.ts';

export interface ServersDeps {
  readonly options: ControlPanelOptions;
  readonly files: OpenedFiles;
  readonly signals: PanelSignals;
  readonly currentTask: CurrentTask;
  readonly reader: MessageThread;
  readonly book: LogBook;
}

export type ServersParts = ReturnType<typeof wireServers>;

/** Builds the supervision of the servers, and their sessions. */
export function wireServers({ options, files, signals, currentTask, reader, book }: ServersDeps) {
  const { clock, wallClock } = options;
  const { consents, containers, custody, journal, notice, settings } = files;
  const resolver = createResolver(options, files, (config) => consents.isOfFirstUse(config));
  const ownRuns = new OwnRuns({
    createToken: options.createToken,
    isUp: (name): boolean => fleet.find(name)?.connection !== undefined,
    redact: (text) => journal.redactText(text),
  });
  // Servers send requests only for declared capabilities. Without the gateway no MCP client could answer them.
  const forClients = settings.current.settings.gateway.enabled ? SHARED_CAPABILITIES : undefined;
  const signIn = wireSignIn(options, files, signals, () => fleet);
  const supervisors = new SupervisorFactory({
    ...options,
    clientCapabilities: options.clientCapabilities ?? forClients,
    resolveReferences: (...start) => resolver.resolve(...start),
    ownHeaders: (instance) => ownRuns.headersOf(instance),
    tokensOf: (config) => signIn.signIns.tokensOf(config),
    trafficOf: (instance) => book.trafficOf(instance),
    custody: () => custody,
    requireAgreed: (...definition) => consents.requireAgreed(...definition),
    ...{ containers, currentTask, journal, notice, reader, signals },
    records: new EngineRecords(join(options.home, 'engines')),
    engineNews: engineNews(journal),
  });
  const fleet: Fleet = new Fleet({
    createSupervisor: (config) => supervisors.create(config),
    onRemoved: (name) => {
      signals.serverRemoved.emit(name);
      signals.fleetChanged.emit();
    },
  });
  const sharing = wireSharing({ options, files, signals }, fleet);
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

/** Decides how servers are shared by what is observed of them. */
function wireSharing(
  { options, files, signals }: Pick<ServersDeps, 'options' | 'files' | 'signals'>,
  fleet: Fleet,
): Sharing {
  const sharing = new Sharing({
    lessons: files.observedSharing.lessons,
    versionOf: ({ name }) => fleet.find(name)?.connection?.greeting?.serverInfo.version,
    epochMs: () => options.wallClock.epochMs(),
  });
  signals.stateChanged.subscribe(({ server: name }) => {
    const server = fleet.find(name);
    if (server) sharing.runChanged(server.config);
  });
  // Open sessions keep their slots; the observation applies to new sessions.
  signals.askedBack.subscribe(({ server: name, method }) => {
    const server = fleet.find(name);
    if (!server || !sharing.asked(server.config, method)) return;
    const { mode, reason, words } = sharing.of(server.config);
    if (mode === 'exclusive' && reason === 'learnt') files.notice(`${name}: ${words}`);
    signals.figuresChanged.emit(name);
  });
  return sharing;
}
