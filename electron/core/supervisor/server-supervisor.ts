import type { ServerView } from '../../../shared/domain.ts';
import { PanelError, toErrorReport, type ErrorReport } from '../../../shared/error-codes.ts';
import type { ServerConfig } from '../../../shared/server-config.ts';
import type { Disposable } from '../clock.ts';
import { isSameConnection } from '../config/config-diff.ts';
import { CommandSlot, type Command } from './command-slot.ts';
import {
  initialState,
  isUp,
  nextState,
  sleeps,
  wasStopped,
  type LifecycleEvent,
  type LifecycleState,
} from './server-lifecycle.ts';
import type { FailureCause } from './restart/restart-policy.ts';
import { isEngineLost, RestartTracker, isJudgedAnew } from './restart/restart-tracker.ts';
import { RunLog, type EndedBy } from './run/run-log.ts';
import type { TreeSample } from '../telemetry/tree-sample.ts';
import { ServerRuns } from './server-runs.ts';
import type { ServerSupervisorDeps } from './server-supervisor-deps.ts';
import { cannotSleep, type Sleepless } from './run/run-errors.ts';
import { describeServer, keepConfiguredView } from './server-view.ts';
import { reasonOf, withReason, type StateReason } from './state-reason.ts';
import type { Run } from './run/run.ts';
import type { McpConnection } from '../mcp/mcp-connection.ts';
import type { RunFinding } from './run/run-watch.ts';

/** Keeps one server in the requested state: carries out what the state machine in server-lifecycle.ts decides. */
export class ServerSupervisor {
  readonly name: string;
  readonly #deps: ServerSupervisorDeps;
  readonly #commands: CommandSlot;
  readonly #restarts: RestartTracker;
  readonly #log: RunLog;
  readonly #runs: ServerRuns;
  #config: ServerConfig;
  readonly #configured = keepConfiguredView();
  #state: LifecycleState = initialState;
  #shown: ServerView['state'];
  #lastError: ErrorReport | undefined;
  #retryTimer: Disposable | undefined;
  #commandBy: EndedBy = 'person';

  constructor(config: ServerConfig, deps: ServerSupervisorDeps) {
    this.name = config.name;
    this.#config = config;
    this.#deps = deps;
    this.#shown = { kind: this.#state.kind, since: deps.wallClock.epochMs() };
    this.#commands = new CommandSlot(config.name);
    this.#restarts = new RestartTracker({
      ...deps,
      settings: () => this.#config.panel.restart,
      onStable: deps.onChange,
    });
    this.#log = new RunLog({
      ...deps,
      idleMs: () => this.#runs.idleMs,
      stderrTail: () => deps.output.tail(),
      generation: () => this.#state.generation,
      attempts: () => this.#restarts.attempts,
    });
    this.#runs = new ServerRuns({
      deps,
      config: () => this.#config,
      log: this.#log,
      onReason: (reason, hasCome) => this.#reasonChanged(reason, hasCome),
      onUp: (generation) => this.#dispatch({ kind: 'ready', generation }),
      onStartFailed: (error) => this.#startFailed(error),
      onCrashed: (generation, error) => this.#crashed(generation, error),
      onFound: (finding) => this.#found(finding),
    });
  }

  get config(): ServerConfig {
    return this.#config;
  }
  get stateKind(): ServerView['state']['kind'] {
    return this.#state.kind;
  }
  get wasStopped(): boolean {
    return wasStopped(this.#state);
  }
  get sleeps(): boolean {
    return sleeps(this.#state);
  }
  get idle(): number | Sleepless {
    return this.#state.kind === 'running' ? this.#runs.idle : 'not-running';
  }
  get generation(): number {
    return this.#state.generation;
  }
  /** Connection of the run that is up; undefined if no run is up. */
  get connection(): McpConnection | undefined {
    return isUp(this.#state) ? this.run?.connection : undefined;
  }
  get run(): Run | undefined {
    return this.#runs.current;
  }

  /** Starts the server. Resolves when it runs; rejects with the error of the first attempt, or SUPERSEDED by a later command. */
  start(by: EndedBy = 'person'): Promise<void> {
    return this.#command('start', by);
  }
  /** Stops the server. Resolves when no process of it is left. */
  stop(by: EndedBy = 'person'): Promise<void> {
    return this.#command('stop', by);
  }
  /** Restarts the server. Resolves when it is running with a new generation. */
  restart(): Promise<void> {
    return this.#command('restart');
  }
  /** Puts the server to sleep. Resolves when no process of it is left. @throws PanelError CANNOT_SLEEP */
  async sleep(by: EndedBy = 'person'): Promise<void> {
    const { idle } = this;
    if (!this.sleeps && typeof idle === 'string') throw cannotSleep(this.name, idle);
    return this.#command('sleep', by);
  }

  /**
   * Applies a changed configuration. Restarts the server only if its connection settings have changed, or if the panel had
   * given up on starting it and a setting that caused this has changed.
   */
  configure(config: ServerConfig): void {
    const isSameServer = isSameConnection(config, this.#config);
    const isGivenUp = this.#state.kind === 'failed' && config.enabled;
    const hasAnotherChance =
      isGivenUp && isJudgedAnew(this.#lastError?.code, this.#config.panel, config.panel);
    this.#config = config;
    this.#restarts.awaitStable();
    this.#deps.onChange();
    if (isSameServer && !hasAnotherChance) return;
    if (['stopped', 'stopping', 'asleep'].includes(this.#state.kind)) return;
    // The error needs no handling here, because it is shown by the server's state and reported as an event.
    this.#command('restart', 'configuration').catch(() => undefined);
  }

  view(): Omit<ServerView, 'sample'> {
    return describeServer({
      configured: this.#configured(this.#config),
      state: this.#shown,
      generation: this.#state.generation,
      run: this.run,
      up: this.#runs.upView,
      restarts: this.#restarts,
      lastError: this.#lastError,
      heldBytes: this.#log.heldBytes,
    });
  }

  #command(command: Command, by: EndedBy = 'person'): Promise<void> {
    const { promise, isNew } = this.#commands.submit(command, by !== 'configuration');
    if (isNew) {
      this.#commandBy = by;
      if (command !== 'stop') this.#lastError = undefined;
      this.#dispatch({ kind: command, isInUse: typeof this.idle === 'string' });
      this.#commands.reached(this.#state.kind);
    }
    if (this.#state.kind === 'starting' && this.#commands.isAwaited) this.#runs.hurryStart();
    return promise;
  }

  /** @param error reason why the run ends, if `event` ends it without a command by the user */
  #dispatch(event: LifecycleEvent, reason?: StateReason, error?: PanelError): void {
    const before = this.#state;
    const after = nextState(before, event);
    if (after === before) return;
    this.#retryTimer?.dispose();
    this.#runs.cancelStart();
    this.#state = after;
    this.#shown = { kind: after.kind, since: this.#deps.wallClock.epochMs(), ...reason };
    this.#enter(after, before, error);
    this.#commands.reached(this.#state.kind);
    this.#deps.onState(this.#shown);
    this.#deps.onChange();
  }

  #enter(state: LifecycleState, before: LifecycleState, error?: PanelError): void {
    if (state.kind === 'stopping') this.#log.ending(state.next, error ?? this.#commandBy, this.#runs.atEnd());
    if (before.kind === 'asleep') this.#log.waking(this.#commandBy);
    if (!isUp(state)) {
      this.#restarts.runEnded();
      this.#runs.leaveUp();
    }
    if (state.kind === 'starting') this.#enterStarting(state);
    if (state.kind === 'running' && before.kind === 'starting') this.#enterRunning(before);
    if (state.kind === 'stopping') this.#enterStopping(state, error);
    if (state.kind === 'stalled' && state.isEnding) this.#enterStalled(error);
    if (state.kind === 'backoff') this.#retryIn(state.delayMs, state.generation);
    if (state.kind === 'failed') this.#retryIn(state.slowRetryMs, state.generation);
    if (state.kind === 'asleep') this.#log.slept();
  }

  #enterStarting({ generation, trigger }: LifecycleState & { kind: 'starting' }): void {
    this.#restarts.started(trigger);
    const purpose = this.#commands.isAwaited ? 'awaited' : this.#restarts.purposeOf(trigger);
    this.#shown = withReason(this.#shown, this.#runs.begin(generation, purpose));
  }

  /** Updates the reason while the state stays the same. State listeners are called only when the start is admitted. */
  #reasonChanged(reason: string | undefined, hasCome: boolean): void {
    if (reason === this.#shown.reason) return;
    this.#shown = withReason(this.#shown, reason);
    const since = this.#deps.wallClock.epochMs();
    if (hasCome && reason !== undefined) this.#deps.onState({ ...this.#shown, since });
    this.#deps.onChange();
  }

  #enterRunning({ generation, trigger }: LifecycleState & { kind: 'starting' }): void {
    this.#runs.enterUp(generation, this.#shown.since);
    const { pid, connection } = this.run ?? {};
    const { stableAfterMs } = this.#config.panel.restart;
    const isRestart = trigger !== 'command' || this.#commands.pending === 'restart';
    const begun = { pid, serverInfo: connection?.serverInfo, stableAfterMs };
    this.#log.began(isRestart ? 'restarted' : 'started', begun);
    // Whether a run is stable is measured from the start of the run, not from the last change of state, because being suspect
    // for a short time must not restart the measurement.
    this.#restarts.runBegan();
  }

  #found({ event, reason, error }: RunFinding): void {
    if (error) this.#lastError = toErrorReport(error, error.code);
    this.#dispatch(event, reason, error);
  }

  sampled(tree: TreeSample): void {
    this.#runs.sampled(tree);
  }

  /**
   * Called after the machine wakes from sleep. Restarts a server that the panel had given up on, if the hourly limit allows it.
   */
  resumed(): void {
    this.#runs.resumed();
    const { kind, generation } = this.#state;
    if (kind === 'failed' && this.#restarts.allowsAutomaticStart)
      this.#dispatch({ kind: 'retryDue', generation });
  }

  #startFailed(error: PanelError): void {
    if (this.#restarts.isNewsOf(error) && !isEngineLost(error)) this.#log.startFailed(error);
    this.#fail('start', error);
    this.#commands.reject(error, 'start', 'restart');
  }

  #crashed(generation: number, error: PanelError): void {
    if (generation !== this.#state.generation || !isUp(this.#state)) return;
    if (!isEngineLost(error)) this.#log.crashed(error, this.#runs.atEnd());
    this.#fail('crash', error);
  }

  /** Handles a run that ended without being stopped. The policy's decision is shown while remaining processes are ended. */
  #fail(cause: FailureCause, error: PanelError): void {
    this.#lastError = toErrorReport(error, 'CRASHED');
    const { generation } = this.#state;
    this.#runs.sweep(error);
    const after = this.#restarts.decide(cause, error);
    this.#dispatch({ kind: 'failed', generation, after }, reasonOf(error));
  }

  #enterStopping({ next }: LifecycleState & { kind: 'stopping' }, verdict: PanelError | undefined): void {
    const error = verdict ?? new PanelError('STOPPED', `${this.name} was stopped.`);
    this.#runs.stop(error);
    // With `verdict`, the panel ended the run because of a limit, and the restart policy decides what follows. With `stopped`,
    // only a command starts the server again.
    this.#awaitGone(next === 'verdict' ? { cause: 'limit', error } : undefined, verdict);
  }

  #enterStalled(verdict: PanelError | undefined): void {
    const error = verdict ?? new PanelError('STALLED', `${this.name} did not respond.`);
    this.#runs.kill(error);
    this.#awaitGone({ cause: 'stall', error }, error);
  }

  /**
   * Waits until no process of the run is left, and then informs the state machine. If the run ended by a failure, the restart
   * policy decides at that time what follows.
   */
  #awaitGone(
    failure: { cause: FailureCause; error: PanelError } | undefined,
    because: PanelError | undefined,
  ): void {
    const state = this.#state;
    const { generation } = state;
    void this.#runs.cleared.then(() => {
      // A later command has changed the state. It also waits until no process is left, and then informs the state machine.
      if (this.#state !== state) return;
      if (state.kind === 'stopping' && state.next === 'stopped') this.#log.stopped();
      const after = failure && this.#restarts.decide(failure.cause, failure.error);
      this.#dispatch({ kind: 'gone', generation, ...(after && { after }) }, because && reasonOf(because));
    });
  }

  #retryIn(delayMs: number | undefined, generation: number): void {
    if (delayMs === undefined) return;
    this.#shown = { ...this.#shown, nextRetryAt: this.#shown.since + delayMs };
    const retry = () => this.#dispatch({ kind: 'retryDue', generation });
    this.#retryTimer = this.#deps.clock.setTimeout(retry, delayMs);
  }
}
