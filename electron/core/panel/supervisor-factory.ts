import type { ClientCapabilities } from '@modelcontextprotocol/sdk/types.js';
import { join } from 'node:path';
import type { ConnectionTest } from '../../../shared/manage.ts';
import { workloadPlaceOf } from '../../../shared/panel-settings.ts';
import type { ServerConfig } from '../../../shared/server-config.ts';
import type { OwnRuns } from '../gateway/session/own-runs.ts';
import type { LogBook } from '../logs/log-book.ts';
import type { ServerOutput } from '../journal/server-output.ts';
import { requireCommand } from '../platform/find-command.ts';
import type { ClusterAccessDeps } from '../platform/kubernetes/cluster-access.ts';
import { EngineHost } from '../supervisor/host/engine-host.ts';
import { EngineRecords } from '../supervisor/custody/engine-record.ts';
import { userEnvironment } from '../platform/user-environment.ts';
import { LocalHost } from '../supervisor/host/local-host.ts';
import { runFactory } from '../supervisor/create-run.ts';
import { spawnRequestOf } from '../supervisor/run/spawn-request.ts';
import { keepLogMessage } from '../supervisor/run/said-words.ts';
import { ObservedServers } from '../supervisor/run/run-watch.ts';
import { ServerSupervisor } from '../supervisor/server-supervisor.ts';
import type { McpConnection } from '../mcp/mcp-connection.ts';
import type { ServerSupervisorDeps } from '../supervisor/server-supervisor-deps.ts';
import { testConnection } from '../supervisor/run/test-connection.ts';
import { StartGate } from '../supervisor/start/start-gate.ts';
import { redactState } from '../supervisor/state-reason.ts';
import type { SecretResolver } from '../secrets/secret-resolver.ts';
import type { SignIns } from '../sign-in/sign-ins.ts';
import { engineNews } from './open-files.ts';
import type { PanelBase } from './panel-base.ts';

/** Parts of the panel that provide request headers, tokens, secrets and traffic logs for a server's runs. */
interface RunParts {
  readonly book: Pick<LogBook, 'trafficOf'>;
  readonly ownRuns: Pick<OwnRuns, 'headersOf'>;
  readonly resolver: Pick<SecretResolver, 'resolve'>;
  readonly signIns: Pick<SignIns, 'tokensOf'>;
}

/** Creates the supervisors of this panel's servers. The supervisors share the start gate and other parts. */
export class SupervisorFactory {
  readonly #base: PanelBase;
  readonly #parts: RunParts;
  /**
   * Client capabilities that connections declare unless others are given to `create`. The part of the panel that adds a
   * capability also answers the server requests that need it.
   */
  readonly #clientCapabilities: ClientCapabilities | undefined;
  /** Runs the servers that are on other container engines, for example on a remote machine. */
  readonly elsewhere: EngineHost;
  readonly #shared: Pick<ServerSupervisorDeps, 'learnt' | 'startGate' | 'prepareSpawn' | 'createRun'>;

  constructor(base: PanelBase, parts: RunParts, clientCapabilities: ClientCapabilities | undefined) {
    this.#base = base;
    this.#parts = parts;
    this.#clientCapabilities = clientCapabilities;
    const { currentTask, files, options, reader } = base;
    const { containers, journal, notice } = files;
    const { clock, startConcurrency, appVersion, createToken } = options;
    const { parentEnvironment: parent, userHome: home, loginPath } = options;
    // When a command is not found, PATH is read again before the start fails, but only on Windows, where this is fast.
    // Elsewhere it takes a login shell several seconds, so PATH is read again only after the failure.
    const askAgain = process.platform === 'win32' && loginPath ? () => loginPath.recapture() : undefined;
    const surroundings = () => ({ parent, home, login: loginPath?.current, askAgain });
    this.elsewhere = new EngineHost({
      ...options,
      notice,
      environment: () => userEnvironment(parent, loginPath?.current),
      ...engineNews(journal),
      records: new EngineRecords(join(options.home, 'engines')),
      lastEngines: containers.lastEngines,
    });
    this.#shared = {
      learnt: new ObservedServers(),
      startGate: new StartGate({ clock, startConcurrency, isOpen: false }),
      createRun: runFactory({
        ...options,
        ...{ currentTask, reader },
        host: new LocalHost({ ...options, containers }, this.elsewhere),
        clientVersion: appVersion,
        ownHeaders: (instance) => parts.ownRuns.headersOf(instance),
        tokensOf: (config) => parts.signIns.tokensOf(config),
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

  /** Opens the start gate. No server starts before this call. */
  openGate(): void {
    this.#base.files.custody.prepare();
    this.#shared.startGate.open();
  }

  /**
   * Creates the supervisor of a server's main instance or of a replica. @param server name of the server, because the name of a
   * replica is not in the configuration @param clientCapabilities capabilities that its connections declare, if they differ
   * from the panel's default ones
   */
  create(
    config: ServerConfig,
    server = config.name,
    clientCapabilities = this.#clientCapabilities,
  ): ServerSupervisor {
    const { files, options, signals } = this.#base;
    const { clock, wallClock, random } = options;
    const { consents, containers, custody, journal, notice } = files;
    const isFurther = config.name !== server;
    // The output of a removed server is reused, because a server that is added again under the same name continues the same log
    // file.
    const output = journal.outputs.get(config.name) ?? journal.openOutput(config.name);
    return new ServerSupervisor(config, {
      ...this.#shared,
      resolveConfig: (given, signal, onWait) => {
        consents.requireAgreed(server, given);
        const resolve = () => this.#parts.resolver.resolve(given, signal, onWait);
        const engineBack = containers.lastEngines.returnOf(given.name, signal);
        if (engineBack === undefined) return resolve();
        onWait?.('waiting for the engine of its container');
        return engineBack.then(resolve);
      },
      createRun: this.#createRun(clientCapabilities),
      // For a replica, the state is not reported, and events contain the replica's name. A replica never gives up, because it
      // is never restarted.
      onState: (state) => {
        const shown = redactState(state, (text) => journal.redactText(text));
        if (!isFurther) signals.stateChanged.emit({ at: state.since, server, state: shown });
      },
      logEvent: (kind, detail) => {
        if (!isFurther) journal.append(server, kind, detail);
        else if (kind !== 'gave-up') journal.append(server, kind, { ...detail, instance: config.name });
      },
      clock,
      wallClock,
      random,
      custody,
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
   * Restarts the pods of a server's Deployment at the user's request. For a server that runs on a Service or an MCPServer, only
   * writes to the log that its session is opened again.
   * @throws PanelError START_FAILED if the cluster refuses
   */
  async restartPods({ name, panel }: ServerConfig): Promise<void> {
    const place = workloadPlaceOf(panel.runOn);
    if (place === undefined) return;
    const { restartWorkload } = await import('../platform/kubernetes/workload-resource.ts');
    const words = await restartWorkload(
      place,
      this.#clusterDeps,
      new Date(this.#base.options.wallClock.epochMs()),
    );
    this.#base.files.journal.outputs.get(name)?.append(Buffer.from(`${words}\n`));
  }

  /**
   * Starts a separate instance of the server, connects to it and ends it; none of its processes is left. The user's request for
   * the test counts as consent.
   */
  test(config: ServerConfig): Promise<ConnectionTest> {
    const { files, options } = this.#base;
    return testConnection(config, {
      ...{ clock: options.clock, table: options.table, custody: files.custody },
      createRun: this.#createRun(this.#clientCapabilities),
      resolveConfig: (...start) => this.#parts.resolver.resolve(...start),
    });
  }

  /** Writes the messages of a connection to the traffic log, and the server's log notifications to its output. */
  #log(instance: string, connection: McpConnection, output: ServerOutput): void {
    const traffic = this.#parts.book.trafficOf(instance);
    traffic.connected();
    connection.onPassed((passed) => traffic.passed(passed));
    connection.onNotification((notification) => keepLogMessage(output, notification));
  }

  get #clusterDeps(): ClusterAccessDeps {
    const { clock, loginPath, parentEnvironment, userHome } = this.#base.options;
    return { clock, userHome, env: userEnvironment(parentEnvironment, loginPath?.current) };
  }

  #createRun(clientCapabilities: ClientCapabilities | undefined): ServerSupervisorDeps['createRun'] {
    return (config, hooks, request) =>
      this.#shared.createRun(config, { ...hooks, clientCapabilities }, request);
  }
}
