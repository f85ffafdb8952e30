import type { ClientCapabilities } from '@modelcontextprotocol/sdk/types.js';
import type { ConnectionTest } from '../../../shared/manage.ts';
import { workloadPlaceOf } from '../../../shared/panel-settings.ts';
import type { ServerConfig } from '../../../shared/server-config.ts';
import type { RandomSource, WallClock } from '../clock.ts';
import type { CurrentTask } from '../current-task.ts';
import type { Journal } from '../journal/journal.ts';
import type { TrafficLog } from '../logs/traffic-log.ts';
import type { ServerOutput } from '../journal/server-output.ts';
import { requireCommand } from '../platform/find-command.ts';
import type { ClusterAccessDeps } from '../platform/kubernetes/cluster-access.ts';
import type { OwnedProcessDeps } from '../platform/owned-process.ts';
import type { LoginPath } from '../platform/login-path.ts';
import { EngineHost, type EngineHostOptions } from '../supervisor/host/engine-host.ts';
import type { EngineRecords } from '../supervisor/custody/engine-record.ts';
import { userEnvironment } from '../platform/user-environment.ts';
import { LocalHost } from '../supervisor/host/local-host.ts';
import { runFactory, type RunFactoryDeps } from '../supervisor/create-run.ts';
import type { ResolveConfig } from '../supervisor/run/run-start.ts';
import { spawnRequestOf } from '../supervisor/run/spawn-request.ts';
import type { ContainerCustody } from '../supervisor/custody/container-custody.ts';
import type { ProcessCustody } from '../supervisor/custody/process-custody.ts';
import { keepLogMessage } from '../supervisor/run/said-words.ts';
import { ObservedServers } from '../supervisor/run/run-watch.ts';
import { ServerSupervisor } from '../supervisor/server-supervisor.ts';
import type { McpConnection } from '../mcp/mcp-connection.ts';
import type { LongReader } from '../mcp/worker/questions.ts';
import type { ServerSupervisorDeps } from '../supervisor/server-supervisor-deps.ts';
import { testConnection } from '../supervisor/run/test-connection.ts';
import { StartGate } from '../supervisor/start/start-gate.ts';
import { redactState } from '../supervisor/state-reason.ts';
import type { PanelSignals } from './panel-signals.ts';

export interface SupervisorFactoryOptions extends OwnedProcessDeps {
  readonly wallClock: WallClock;
  readonly random: RandomSource;
  readonly appVersion: string;
  /**
   * Default client capabilities of connections. The part that declares a capability also answers the server requests that need
   * it.
   */
  readonly clientCapabilities?: ClientCapabilities | undefined;
  readonly createToken: () => string;
  readonly parentEnvironment: Readonly<Record<string, string | undefined>>;
  readonly userHome: string;
  /** Headers as in `RunFactoryDeps`. */
  readonly ownHeaders: (instance: string) => Readonly<Record<string, string>>;
  /** Tokens of sign-ins, as in `RemoteRunDeps`. */
  readonly tokensOf?: RunFactoryDeps['tokensOf'];
  readonly loginPath: LoginPath | undefined;
  readonly startConcurrency: number;
  readonly currentTask: CurrentTask;
  readonly reader: LongReader;
  readonly journal: Journal;
  /** Traffic log of a server or replica. */
  readonly trafficOf: (instance: string) => Pick<TrafficLog, 'connected' | 'passed'>;
  readonly containers: ContainerCustody;
  /** Throws CONSENT_REQUIRED for a definition that nobody has agreed to. `server`: its name in the configuration. */
  readonly requireAgreed?: ((server: string, config: ServerConfig) => void) | undefined;
  /** Replaces the references of a definition by their values. Default: it stands as it is. */
  readonly resolveReferences?: ResolveConfig | undefined;
  /** Custody of processes; read before the first start. */
  readonly custody: () => ProcessCustody;
  /**
   * Signals; states and health checks are emitted for the server's own instance alone, because a replica has states of its
   * own.
   */
  readonly signals: Pick<
    PanelSignals,
    'askedBack' | 'callEnded' | 'probeAnswered' | 'serverChanged' | 'stateChanged'
  >;
  readonly notice: (line: string) => void;
  /** Home folder of the panel. */
  readonly home: string;
  readonly records: EngineRecords;
  readonly engineNews: Pick<EngineHostOptions, 'onAdopted' | 'onBack' | 'onLost'>;
}

/** Creates the supervisors of this panel, with their shared parts and outputs. */
export class SupervisorFactory {
  readonly #options: SupervisorFactoryOptions;
  /** Servers on other engines. */
  readonly elsewhere: EngineHost;
  readonly #shared: Pick<ServerSupervisorDeps, 'learnt' | 'startGate' | 'prepareSpawn' | 'createRun'>;

  constructor(options: SupervisorFactoryOptions) {
    this.#options = options;
    const { clock, startConcurrency, appVersion, createToken } = options;
    const { parentEnvironment: parent, userHome: home, loginPath } = options;
    // Windows reads its PATH in a moment; a login shell takes seconds, so it is run only after the failure.
    const askAgain = process.platform === 'win32' && loginPath ? () => loginPath.recapture() : undefined;
    const surroundings = () => ({ parent, home, login: loginPath?.current, askAgain });
    this.elsewhere = new EngineHost({
      ...options,
      environment: () => userEnvironment(parent, loginPath?.current),
      ...options.engineNews,
      lastEngines: options.containers.lastEngines,
    });
    this.#shared = {
      learnt: new ObservedServers(),
      startGate: new StartGate({ clock, startConcurrency, isOpen: false }),
      createRun: runFactory({
        ...options,
        host: new LocalHost(options, this.elsewhere),
        clientVersion: appVersion,
        clusters: () => this.#clusterDeps,
        surroundings,
        createMarker: createToken,
      }),
      prepareSpawn: async (config) => {
        if (config.transport !== 'stdio') return undefined;
        const request = await spawnRequestOf(config, surroundings(), '');
        if (!request.runOn) await requireCommand(request);
        return request;
      },
    };
  }

  /** Allows starts of servers; none happens before this call. */
  openGate(): void {
    this.#options.custody().prepare();
    this.#shared.startGate.open();
  }

  /**
   * Creates the supervisor of an instance. @param server server of the instance, because the name of a replica is not in the
   * configuration @param clientCapabilities capabilities that its connections declare, if they are not the panel's usual ones
   */
  create(
    config: ServerConfig,
    server = config.name,
    clientCapabilities = this.#options.clientCapabilities,
  ): ServerSupervisor {
    const { clock, wallClock, random, custody, notice, signals } = this.#options;
    const isFurther = config.name !== server;
    const { journal } = this.#options;
    // The output survives a removal, because the server may come back with the same log file.
    const output = journal.outputs.get(config.name) ?? journal.openOutput(config.name);
    return new ServerSupervisor(config, {
      ...this.#shared,
      resolveConfig: (given, signal, onWait) => {
        const { containers, requireAgreed, resolveReferences } = this.#options;
        requireAgreed?.(server, given);
        const resolve = () => resolveReferences?.(given, signal, onWait) ?? given;
        const engineBack = containers.lastEngines.returnOf(given.name, signal);
        if (engineBack === undefined) return resolve();
        onWait?.('waiting for the engine of its container');
        return engineBack.then(resolve);
      },
      createRun: this.#createRun(clientCapabilities),
      ...(isFurther ? this.#reportsOfFurther(config.name, server) : this.#reportsOfOwn(server)),
      clock,
      wallClock,
      random,
      custody: custody(),
      output,
      onChange: () => signals.serverChanged.emit(server),
      onConnection: (connection) => {
        this.#log(config.name, connection, output);
        connection.onCallEnded((end) => {
          if (!end.isOwnQuestion) signals.callEnded.emit({ server, end });
        });
        connection.onAsked(({ method }) => signals.askedBack.emit({ server, method }));
        if (!isFurther) connection.onProbeAnswered((rttMs) => signals.probeAnswered.emit({ server, rttMs }));
      },
      notice,
    });
  }

  /**
   * Restarts the pods of a server's Deployment, as a person asked for; says of any other that only its session is opened again.
   * @throws PanelError START_FAILED where the cluster refuses
   */
  async restartPods({ name, panel }: ServerConfig): Promise<void> {
    const place = workloadPlaceOf(panel.runOn);
    if (place === undefined) return;
    const { restartWorkload } = await import('../platform/kubernetes/workload-resource.ts');
    const words = await restartWorkload(
      place,
      this.#clusterDeps,
      new Date(this.#options.wallClock.epochMs()),
    );
    this.#options.journal.outputs.get(name)?.append(Buffer.from(`${words}\n`));
  }

  /** Starts a separate instance of the server and ends it; no process of it is left. A person asks for it, so that is agreed. */
  test(config: ServerConfig): Promise<ConnectionTest> {
    const { clock, custody, resolveReferences, table } = this.#options;
    const createRun = this.#createRun(this.#options.clientCapabilities);
    return testConnection(config, {
      clock,
      createRun,
      custody: custody(),
      resolveConfig: resolveReferences,
      table,
    });
  }

  /** Logs the messages of a connection, and the log notifications of the server. */
  #log(instance: string, connection: McpConnection, output: ServerOutput): void {
    const traffic = this.#options.trafficOf(instance);
    traffic.connected();
    connection.onPassed((passed) => traffic.passed(passed));
    connection.onNotification((notification) => keepLogMessage(output, notification));
  }

  get #clusterDeps(): ClusterAccessDeps {
    const { clock, loginPath, parentEnvironment, userHome } = this.#options;
    return { clock, userHome, env: userEnvironment(parentEnvironment, loginPath?.current) };
  }

  #createRun(clientCapabilities: ClientCapabilities | undefined): ServerSupervisorDeps['createRun'] {
    return (config, hooks, request) =>
      this.#shared.createRun(config, { ...hooks, clientCapabilities }, request);
  }

  #reportsOfOwn(server: string): Reports {
    const { journal, signals } = this.#options;
    const redact = (text: string) => journal.redactText(text);
    return {
      onState: (state) =>
        signals.stateChanged.emit({ at: state.since, server, state: redactState(state, redact) }),
      logEvent: (kind, detail) => journal.append(server, kind, detail),
    };
  }

  /**
   * Reports of a replica: its state is not reported, and its events have its name. Its `gave-up` events are not reported,
   * because a replica never restarts.
   */
  #reportsOfFurther(instance: string, server: string): Reports {
    return {
      onState: () => undefined,
      logEvent: (kind, detail) => {
        if (kind !== 'gave-up') this.#options.journal.append(server, kind, { ...detail, instance });
      },
    };
  }
}

type Reports = Pick<ServerSupervisorDeps, 'onState' | 'logEvent'>;
