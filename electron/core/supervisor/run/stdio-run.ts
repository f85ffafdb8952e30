import { containerRunOf } from '../../../../shared/container-run.ts';
import type { PanelError } from '../../../../shared/error-codes.ts';
import type { StdioServerConfig } from '../../../../shared/server-config.ts';
import type { Clock } from '../../clock.ts';
import type { HostedRun, ProcessHost, StopGraces, StopReport } from '../../platform/hosted-run.ts';
import type { SpawnRequest } from '../../platform/spawner.ts';
import type { CurrentTask } from '../../current-task.ts';
import type { PartSink } from '../../read-in-turns.ts';
import { abortable, settlesWithin } from '../../wait.ts';
import type { TreeSample } from '../../telemetry/tree-sample.ts';
import type { McpConnection } from '../../mcp/mcp-connection.ts';
import type { LongReader } from '../../mcp/worker/questions.ts';
import type { Launch } from '../diagnosis/container-failure.ts';
import { nothingToEnd, type Run, type RunHooks, RunLife, openConnection } from './run.ts';
import { closedOutputError, exitError, withCauseOf } from './run-errors.ts';
import { spawnRequestOf, withMarker, type SpawnEnvironment } from './spawn-request.ts';
import { ImagePull } from '../start/image-pull.ts';
import { isProgress } from '../start/start-gate.ts';
import { StartWatch } from '../start/start-watch.ts';
import { StdioTransport } from '../connection/stdio-transport.ts';

export interface StdioRunDeps {
  readonly clock: Clock;
  readonly host: ProcessHost;
  readonly clientVersion: string;
  readonly currentTask: CurrentTask;
  readonly reader: LongReader;
  /** Returns the environment for a spawn. Called at each spawn, because the login shell's environment may be captured later. */
  readonly surroundings: () => SpawnEnvironment;
  readonly createMarker: () => string;
}

/** Milliseconds that a server gets to exit after it has closed its output, because no more messages can come. */
const EOF_GRACE_MS = 1000;
/** Milliseconds that the end of a run waits for a pending spawn. A spawn takes milliseconds, unless a disk hangs. */
const SPAWN_WAIT_MS = 2000;

/** One run of a stdio server, from start until no process is left: the hosted processes and the connection to them. */
export class StdioRun implements Run {
  readonly #deps: StdioRunDeps;
  readonly #config: StdioServerConfig;
  readonly #hooks: RunHooks;
  readonly #request: SpawnRequest | undefined;
  readonly #life = new RunLife();
  readonly #pull: ImagePull | undefined;
  #hosted: HostedRun | undefined;
  /** Environment of the process; empty before the spawn. */
  #environment: Launch['environment'] = {};
  #spawning: Promise<void> | undefined;
  /** Whether the run has ended without waiting any longer for its spawn. */
  #isGivenUp = false;

  /** @param request process to spawn, if already known; its marker is replaced */
  constructor(deps: StdioRunDeps, config: StdioServerConfig, hooks: RunHooks, request?: SpawnRequest) {
    this.#deps = deps;
    this.#config = config;
    this.#hooks = hooks;
    this.#request = request;
    const image = containerRunOf(config.command, config.args)?.image;
    this.#pull = image === undefined ? undefined : new ImagePull(image);
  }

  get pid(): number | undefined {
    return this.#hosted?.hasExited === false ? this.#hosted.pid : undefined;
  }
  get host(): Run['host'] {
    return this.#hosted?.host;
  }
  get figures(): Run['figures'] {
    return this.#hosted?.hasExited === false ? this.#hosted.figures : undefined;
  }
  get connection(): McpConnection | undefined {
    return this.#life.connection;
  }
  get record(): Run['record'] {
    return this.#hosted?.record;
  }

  get #launch(): Launch {
    return { ...this.#config, environment: this.#environment };
  }

  /** If it rejects, the caller must still call `end`. @throws PanelError of the spawn or handshake; STOPPED if ended */
  async launch(): Promise<void> {
    const life = this.#life;
    life.throwIfOver();
    const { settings } = this.#hooks;
    const onTimeout = (error: PanelError) =>
      life.close(withCauseOf(error, this.#hooks.stderrTail(), this.#launch));
    life.startWatch = new StartWatch({ clock: this.#deps.clock, settings, onTimeout });
    try {
      this.#spawning = this.#spawn();
      await abortable(this.#spawning, life.signal);
      life.throwIfOver();
      await life.connection!.connect(life.signal);
      life.throwIfOver();
      life.up();
    } finally {
      life.startWatch.dispose();
    }
  }

  /** Remembers the processes in the tree. Work that they do counts as progress of the start. */
  sampled({ readings, facts }: TreeSample): void {
    this.#hosted?.remember(readings);
    const ledger = this.#life.connection?.ledger;
    if (ledger)
      this.#hosted?.rememberCalls?.(ledger.inFlightAt(this.#deps.clock.now()), this.#hooks.generation);
    if (isProgress(facts) || this.#pull?.isPulling) this.#life.startWatch?.progressed();
  }

  /** Ends the connection and the process tree. Pending requests reject with `error` at once. Resolves when no process is left. */
  end(graces: StopGraces, error: PanelError): Promise<StopReport> {
    return this.#endBy((hosted) => hosted.end(graces), error);
  }

  /** Ends the connection and the process tree as `end` does, but without grace times; also shortens an `end` in progress. */
  kill(error: PanelError): Promise<StopReport> {
    return this.#endBy((hosted) => hosted.kill(), error);
  }

  /** Ends the run. A pending spawn cannot be cancelled: a child that appears in time is ended here, a later one by `#spawn`. */
  async #endBy(how: (hosted: HostedRun) => Promise<StopReport>, error: PanelError): Promise<StopReport> {
    this.#life.close(error);
    if (this.#spawning) await settlesWithin(this.#deps.clock, this.#spawning, SPAWN_WAIT_MS);
    if (this.#hosted) return how(this.#hosted);
    this.#isGivenUp = true;
    return nothingToEnd;
  }

  async #spawn(): Promise<void> {
    const marker = this.#deps.createMarker();
    const request = this.#request
      ? withMarker(this.#request, marker)
      : await spawnRequestOf(this.#config, this.#deps.surroundings(), marker);
    this.#environment = request.env;
    const takeBack = await this.#hooks.announce(marker);
    const { signal } = this.#life;
    const started = this.#deps.host.start({
      server: this.#config.name,
      request: { ...request, signal },
      marker,
      onHost: () => this.#hooks.onHosted(),
      onPulling: (words) => {
        this.#life.startWatch?.progressed();
        this.#hooks.onPulling?.(words);
      },
    });
    started.catch(takeBack);
    const hosted = await started;
    if (this.#isGivenUp) return this.#endUnwanted(hosted, takeBack);
    this.#hosted = hosted;
    this.#hooks.onHosted();
    this.#attach(hosted);
  }

  /** Ends a process that was spawned after the run had ended. If a process could not be ended, its record is kept. */
  async #endUnwanted(hosted: HostedRun, takeBack: () => void): Promise<void> {
    const { leftPids, lookError } = await hosted.kill();
    if (leftPids.length === 0 && !lookError) takeBack();
  }

  #attach(hosted: HostedRun): void {
    const life = this.#life;
    life.startWatch?.progressed();
    hosted.readStderr({
      onPart: (part) => {
        life.startWatch?.progressed();
        if (life.phase === 'starting' && this.#pull?.take(part)) this.#hooks.onPulling?.(this.#pull.words);
        this.#deps.currentTask.run('read-stderr', this.#config.name, () => this.#hooks.onStderr(part));
      },
      keepsPart: () => false,
    });
    const transport = new StdioTransport({
      stdin: hosted.stdin,
      reader: this.#deps.reader,
      readStdout: (sink) => this.#readStdout(hosted, sink),
      onMalformed: (noise) => this.#hooks.onMalformed(noise),
      onAnswerLost: (id, error) => life.connection?.loseCall(id, error),
    });
    const { firstRequestId } = hosted;
    life.connection = openConnection(transport, { ...this.#deps, firstRequestId }, this.#hooks);
    void hosted.drained.then((exit) => {
      const { phase } = this.#life;
      if (phase !== 'over') this.#over(exitError(exit, phase, this.#hooks.stderrTail(), this.#launch));
    });
  }

  #readStdout(hosted: HostedRun, sink: PartSink): void {
    hosted.readStdout({
      ...sink,
      onPart: (part) => {
        this.#life.startWatch?.progressed();
        this.#deps.currentTask.run('read-output', this.#config.name, () => sink.onPart(part));
      },
      onEnd: () => {
        this.#endOfOutput(hosted);
        return sink.onEnd?.();
      },
    });
  }

  #endOfOutput(hosted: HostedRun): void {
    const late = this.#deps.clock.setTimeout(() => void this.#outputClosed(hosted), EOF_GRACE_MS);
    void hosted.exited.then(() => late.dispose());
  }

  async #outputClosed(hosted: HostedRun): Promise<void> {
    // The output may have closed because the container engine was shut down. The engine's client program keeps running for a
    // long time after that.
    const isEngineLost = hosted.hasLostEngine !== undefined && (await hosted.hasLostEngine());
    this.#over(closedOutputError(this.#life.phase, this.#hooks.stderrTail(), isEngineLost));
  }

  /** Handles a run that ended without being stopped. Before it is up, the handshake rejects; later, `onCrashed` is called. */
  #over(error: PanelError): void {
    if (this.#life.phase === 'over') return;
    const wasUp = this.#life.phase === 'up';
    this.#life.fail(error);
    this.#life.connection?.end(error);
    if (wasUp) this.#hooks.onCrashed(error);
  }
}
