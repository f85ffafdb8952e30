import { randomBytes } from 'node:crypto';
import { homedir } from 'node:os';
import { panelSettingsSchema } from '../../../shared/panel-settings.ts';
import type { CallOutcome, CallProgress, EventKind } from '../../../shared/domain.ts';
import type { SessionView } from '../../../shared/sessions-view.ts';
import type { CreateInstance } from '../../../electron/core/sessions/open-link.ts';
import type { ServerCall } from '../../../shared/ipc/topics/sessions.ts';
import type { ServerConfig } from '../../../shared/server-config.ts';
import { CurrentTask } from '../../../electron/core/current-task.ts';
import { Emitter } from '../../../electron/core/emitter.ts';
import { ServerOutput } from '../../../electron/core/journal/server-output.ts';
import { signallerForPlatform } from '../../../electron/core/platform/signals.ts';
import { spawnChild } from '../../../electron/core/platform/spawner.ts';
import { systemClock } from '../../../electron/core/platform/system-clock.ts';
import { SessionsTopic } from '../../../electron/core/panel/topics/sessions.ts';
import { ObservedSharing } from '../../../electron/core/sessions/sharing/observed.ts';
import { Sharing } from '../../../electron/core/sessions/sharing/sharing.ts';
import { SupervisedSessions } from '../../../electron/core/sessions/supervised-sessions.ts';
import { LocalHost } from '../../../electron/core/supervisor/host/local-host.ts';
import { runFactory } from '../../../electron/core/supervisor/create-run.ts';
import { Fleet } from '../../../electron/core/supervisor/fleet.ts';
import { ProcessCustody } from '../../../electron/core/supervisor/custody/process-custody.ts';
import { ObservedServers } from '../../../electron/core/supervisor/run/run-watch.ts';
import { ServerSupervisor } from '../../../electron/core/supervisor/server-supervisor.ts';
import { StartGate } from '../../../electron/core/supervisor/start/start-gate.ts';
import { ServerTelemetry } from '../../../electron/core/telemetry/server-telemetry.ts';
import type { CommandLine } from '../../fixtures/fixture-server.ts';
import { processSystemHere } from '../../support/process-system.ts';
import { readHere } from '../long-message.ts';

export interface LoggedEvent {
  readonly server: string;
  readonly kind: EventKind;
  readonly detail: Record<string, unknown>;
}

/** Sessions over real supervised processes, without a window. Dispose the bench at the end of the test. */
export interface LiveSessionsBench {
  readonly fleet: Fleet;
  readonly sessions: SupervisedSessions<ServerSupervisor>;
  /** The sessions as the window has them. */
  readonly topic: SessionsTopic;
  readonly telemetry: ServerTelemetry;
  readonly events: LoggedEvent[];
  readonly progress: CallProgress[];
  /** Names of servers whose sessions, or more, have changed. */
  readonly changes: string[];
  /** For sessions of a test's own over the same servers. */
  readonly createInstance: CreateInstance<ServerSupervisor>;
  onStateChange(listener: (server: string) => void): () => void;
  apply(configs: readonly ServerConfig[]): void;
  /** Answer of a tool as text. */
  tool(context: string, name: string, tool: string, args?: Record<string, unknown>): Promise<string>;
  call(call: Partial<ServerCall> & Pick<ServerCall, 'params'>): Promise<CallOutcome>;
  open(name?: string): readonly SessionView[];
  dispose(): Promise<void>;
}

export function stdio(
  commandLine: CommandLine,
  panel: Record<string, unknown> = {},
  name = 'one',
): ServerConfig {
  return {
    name,
    enabled: true,
    transport: 'stdio',
    ...commandLine,
    env: {},
    panel: panelSettingsSchema.parse(panel),
  };
}

export function createLiveSessions(configs: readonly ServerConfig[]): LiveSessionsBench {
  const { table, holding } = processSystemHere();
  const events: LoggedEvent[] = [];
  const changes: string[] = [];
  const progress: CallProgress[] = [];
  const stateChanges = new Emitter<{ readonly server: string }>();
  const shared = {
    clock: systemClock,
    wallClock: systemClock,
    random: () => 0.5,
    learnt: new ObservedServers(),
    startGate: new StartGate({ clock: systemClock, startConcurrency: 4 }),
    custody: new ProcessCustody(undefined, undefined),
    createRun: runFactory({
      ownHeaders: () => ({}),
      host: new LocalHost({
        table,
        signaller: signallerForPlatform(process.platform),
        spawner: holding(spawnChild),
        clock: systemClock,
      }),
      clock: systemClock,
      wallClock: systemClock,
      random: () => 0.5,
      clientVersion: '0.0.0',
      currentTask: new CurrentTask(systemClock),
      reader: readHere,
      surroundings: () => ({ parent: process.env, home: homedir() }),
      createMarker: () => randomBytes(16).toString('hex'),
    }),
    notice: () => undefined,
  };
  const create = (config: ServerConfig, server = config.name) =>
    new ServerSupervisor(config, {
      ...shared,
      output: new ServerOutput({ wallClock: systemClock }),
      onChange: () => telemetry.poke(),
      onState: () => (server === config.name ? stateChanges.emit({ server }) : undefined),
      onConnection: (connection) =>
        connection.onAsked(({ method }) => void sharing.asked(fleet.get(server).config, method)),
      logEvent: (kind, detail) => events.push({ server: config.name, kind, detail }),
    });
  const fleet = new Fleet({
    createSupervisor: (config) => create(config),
    onRemoved: (name) => telemetry.forget(name),
  });
  const sharing = new Sharing({
    lessons: new ObservedSharing(),
    versionOf: ({ name }) => fleet.find(name)?.connection?.greeting?.serverInfo.version,
    epochMs: () => Date.now(),
  });
  const sessions = new SupervisedSessions<ServerSupervisor>({
    clock: systemClock,
    wallClock: systemClock,
    servers: {
      get: (name) => fleet.get(name),
      onStateChange: (listener) => stateChanges.subscribe(({ server }) => listener(server)),
    },
    createInstance: create,
    sharingOf: (config) => sharing.of(config),
    onChange: (name) => changes.push(name),
    notice: () => undefined,
  });
  const topic = new SessionsTopic({ clock: systemClock, fleet, sessions });
  const telemetry = new ServerTelemetry({
    clock: systemClock,
    currentTask: new CurrentTask(systemClock),
    wallClock: systemClock,
    table,
    supervisors: () => fleet.supervisors,
    further: (name) => sessions.further(name),
    onSampled: () => undefined,
    onTickDone: () => undefined,
    onError: () => undefined,
  });
  topic.onProgress((one) => progress.push(one));
  const apply = (current: readonly ServerConfig[]) => {
    fleet.apply(current);
    sessions.apply(current);
  };
  apply(configs);
  let calls = 0;
  const call: LiveSessionsBench['call'] = (given) =>
    topic.call({ callId: `call-${(calls += 1)}`, name: 'one', method: 'tools/call', ...given });
  return {
    fleet,
    sessions,
    topic,
    telemetry,
    events,
    progress,
    changes,
    createInstance: create,
    onStateChange: (listener) => stateChanges.subscribe(({ server }) => listener(server)),
    apply,
    call,
    tool: async (context, name, tool, args = {}) => {
      const { result } = await call({ context, name, params: { name: tool, arguments: args } });
      return (result as { content: { text: string }[] }).content[0]?.text ?? '';
    },
    open: (name = 'one') => sessions.view(name).sessions,
    dispose: async () => {
      await Promise.all([topic.close(), fleet.close()]);
      telemetry.dispose();
      table.dispose();
    },
  };
}
