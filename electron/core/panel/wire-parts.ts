import type { Settings } from '../../../shared/settings.ts';
import { ConfigReports } from '../config/config-reports.ts';
import { Doing } from '../doing.ts';
import { Emitter } from '../emitter.ts';
import { OwnRuns } from '../gateway/session/own-runs.ts';
import { SHARED_CAPABILITIES } from '../gateway/upstream/client-capabilities.ts';
import { CauseLog } from '../journal/cause-log.ts';
import { MessageThread } from '../mcp/message-thread.ts';
import { Sharing } from '../sessions/sharing/sharing.ts';
import { SupervisedSessions } from '../sessions/supervised-sessions.ts';
import { SupervisorFactory } from './supervisor-factory.ts';
import { TroubleBook } from '../story/trouble-book.ts';
import { Fleet } from '../supervisor/fleet.ts';
import type { ServerSupervisor } from '../supervisor/server-supervisor.ts';
import { redactState } from '../supervisor/state-reason.ts';
import { CallBook } from '../telemetry/calls/call-book.ts';
import { ClientCalls } from '../telemetry/calls/client-calls.ts';
import { LongTurnLog } from '../telemetry/long-turn-log.ts';
import { LoopWatch, type LongTurn } from '../telemetry/loop-watch.ts';
import { ServerTelemetry } from '../telemetry/server-telemetry.ts';
import type { StateChange } from './control-panel.ts';
import { GatewayPages } from './gateway-pages.ts';
import type { OpenedFiles } from './open-files.ts';
import type { ControlPanelOptions } from './panel-options.ts';
import { PushHub } from './push-hub.ts';
import { SessionsTopic } from './topics/sessions.ts';
import { Views } from './views.ts';
import { wireGateway } from './wire-gateway.ts';
import { wireHistory } from './wire-history.ts';
import { wireLogs } from './wire-logs.ts';
import { messageOf } from '../../../shared/message-of.ts';

export type PanelParts = ReturnType<typeof wireParts>;

/** Builds the parts, which know each other through callbacks alone: none is called before all are there. */
export function wireParts(options: ControlPanelOptions, files: OpenedFiles) {
  const { containers, custody, journal, notice, servers, serversPath, settings, sharingLessons } = files;
  const { clock, cpuTimeMs, wallClock, table } = options;
  // Only who declares what it can be asked is ever asked; without the gateway there is nobody to answer.
  const forClients = settings.current.settings.gateway.enabled ? SHARED_CAPABILITIES : undefined;
  const doing = new Doing(clock);
  const reader = new MessageThread({ clock, startWorker: options.startMessageWorker });
  const longTurns = new LongTurnLog({
    clock,
    logEvent: (server, detail) => journal.append(server, 'panel-blocked', detail),
  });
  const onLongTurn = (turn: LongTurn) => longTurns.add(turn);
  const loopWatch = cpuTimeMs && new LoopWatch({ clock, doing, cpuTimeMs, onLongTurn });
  const redact = (text: string) => journal.redactText(text);
  const stateChanges = new Emitter<StateChange>();
  const fleetChanges = new Emitter<void>();
  const settingsChanges = new Emitter<Settings>();
  const causes = new CauseLog({ ...options, journal });
  const reports = new ConfigReports({ path: serversPath, journal, notice });
  const configStatus = () => reports.status(servers.current.error);
  const hub = new PushHub({ clock, view: (name) => views.of(name), config: configStatus });
  const calls = new CallBook({ clock, wallClock, onRecent: (name) => hub.serverMarked(name) });
  const clientCalls = new ClientCalls({ clock, wallClock });
  const ownRuns = new OwnRuns({
    createToken: options.createToken,
    isUp: (name): boolean => fleet.find(name)?.connection !== undefined,
    redact,
  });
  const supervisors = new SupervisorFactory({
    ...options,
    ownHeaders: (instance) => ownRuns.headersOf(instance),
    clientCapabilities: options.clientCapabilities ?? forClients,
    doing,
    reader,
    journal,
    trafficOf: (instance) => logs.book.trafficOf(instance),
    custody: () => custody,
    containers,
    onChange: (server) => {
      hub.serverChanged(server);
      telemetry.poke();
    },
    onState: (server, state) =>
      stateChanges.emit({ at: state.since, server, state: redactState(state, redact) }),
    // The charts of a server with processes have better figures.
    onProbeAnswered: (server, rttMs) => {
      if (fleet.find(server)?.config.transport !== 'stdio') telemetry.probeAnswered(server, rttMs);
    },
    onCallEnded: (server, end) => {
      // The last calls of a server that was removed end with it. What the panel asks for itself was nobody's call.
      if (end.isOwnQuestion || !fleet.find(server)) return;
      calls.record(server, end);
      history.recorder.callEnded(server, end);
    },
    // Sessions that are open stay as they are.
    onAskedBack: (name, method) => {
      const server = fleet.find(name);
      if (!server || !sharing.asked(server.config, method)) return;
      const { mode, reason, words } = sharing.of(server.config);
      if (mode === 'exclusive' && reason === 'learnt') notice(`${name}: ${words}`);
      hub.serverMarked(name);
    },
    notice,
  });
  const logs = wireLogs(options, files);
  const fleet = new Fleet({
    createSupervisor: (config) => supervisors.create(config),
    onRemoved: (name) => {
      telemetry.forget(name);
      calls.forget(name);
      clientCalls.forgetServer(name);
      hub.serverRemoved(name);
      fleetChanges.emit();
    },
  });
  const sharing = new Sharing({
    lessons: sharingLessons.lessons,
    versionOf: ({ name }) => fleet.find(name)?.connection?.greeting?.serverInfo.version,
    epochMs: () => wallClock.epochMs(),
  });
  const sessions = new SupervisedSessions<ServerSupervisor>({
    clock,
    wallClock,
    servers: {
      get: (name) => fleet.get(name),
      onStateChange: (listener) => stateChanges.subscribe(({ server }) => listener(server)),
    },
    createInstance: (...instance) => supervisors.create(...instance),
    sharingOf: (config) => sharing.of(config),
    onChange: (name) => hub.serverMarked(name),
    notice,
  });
  const sessionsTopic = new SessionsTopic({ clock, fleet, sessions });
  const telemetry = new ServerTelemetry({
    clock,
    doing,
    wallClock,
    table,
    supervisors: () => fleet.supervisors,
    further: (name) => sessions.further(name),
    onSampled: (name) => hub.serverMarked(name),
    onKept: (name, sample) => history.recorder.sampled(name, sample),
    onTickDone: () => {
      history.recorder.lookDone();
      hub.tick();
    },
    onError: (error) => notice(`the process table could not be read: ${messageOf(error)}`),
  });
  const history = wireHistory({
    options,
    files,
    memory: {
      samples: (name, since) => telemetry.history(name, since),
      callMinutes: (name, since) => calls.since(name, since),
      clientCallMinutes: (client, since) => clientCalls.since(client, since),
      servers: () => fleet.supervisors.map(({ name }) => name),
    },
  });
  const troubles = new TroubleBook({
    source: history.source,
    wallClock,
    onRead: (name) => hub.serverChanged(name),
  });
  journal.onEvent((event) => troubles.eventHappened(event));
  fleetChanges.subscribe(() => troubles.follow(fleet.supervisors.map(({ name }) => name)));
  const views = new Views({ fleet, sessions, telemetry, calls, troubles, redact });
  const version = options.appVersion;
  const pages = new GatewayPages({ version, views, calls, clientCalls, journal });
  const gateway = wireGateway({
    options,
    files,
    fleet,
    doing,
    reader,
    ownRuns,
    sessions,
    sharing,
    onAnswerOrder: (name, order) => {
      const config = fleet.find(name)?.config;
      if (config?.transport !== 'stdio' || !sharing.answered(config, order)) return;
      if (sharing.of(config).answersInTurn)
        notice(`${name}: it answers one call at a time, so calls of clients wait for each other`);
      hub.serverMarked(name);
    },
    onTurnWaited: (wait) => sessions.turnWaited(wait),
    onClientCalled: (...call) => sessions.clientCalled(...call),
    calls: clientCalls,
    onCallEnded: (server, end, clientId) => history.recorder.callEnded(server, end, clientId),
    pages,
  });
  return {
    calls,
    causes,
    clientCalls,
    configStatus,
    doing,
    fleet,
    fleetChanges,
    gateway,
    history,
    hub,
    logs,
    longTurns,
    loopWatch,
    pages,
    reader,
    reports,
    sessions,
    sessionsTopic,
    settingsChanges,
    stateChanges,
    supervisors,
    telemetry,
    views,
  };
}
