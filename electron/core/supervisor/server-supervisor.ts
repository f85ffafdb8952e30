import type { ServerView } from '../../../shared/domain.ts';
import { PanelError, toErrorReport, type ErrorReport } from '../../../shared/error-codes.ts';
import { connectionFields, type ServerConfig } from '../../../shared/server-config.ts';
import { isDeepStrictEqual } from 'node:util';
import type { Disposable } from '../clock.ts';
import type { StopReport } from '../platform/owned-process.ts';
import { CommandSlot, type Command } from './command-slot.ts';
import { NoiseCounter } from './connection/noise-counter.ts';
import {
  initialState,
  isUp,
  nextState,
  wasStopped,
  type LifecycleEvent,
  type LifecycleState,
} from './server-lifecycle.ts';
import { isJudgedAnew } from './restart/failure-settings.ts';
import type { FailureCause } from './restart/restart-policy.ts';
import { RestartTracker } from './restart/restart-tracker.ts';
import { runsUnderDebugger } from './debugger.ts';
import { packageRunOf } from './start/package-runner.ts';
import { StartTurn } from './start/start-turn.ts';
import { RunLog } from './run/run-log.ts';
import { RunSlot } from './run/run-slot.ts';
import { stallError, toStartError } from './run/run-errors.ts';
import type { TreeSample } from '../telemetry/tree-sample.ts';
import type { ServerSupervisorDeps } from './server-supervisor-deps.ts';
import { describeServer } from './server-view.ts';
import { reasonOf, reasonOfVerdict, withReason, type StateReason } from './state-reason.ts';
import type { Run, RunHooks } from './run/run.ts';
import type { McpConnection } from './connection/mcp-connection.ts';
import type { Evidence } from './liveness/liveness-monitor.ts';
import { RunWatch, type StallVerdict, type SuspectVerdict } from './run/run-watch.ts';

/** A tree that failed is not asked nicely: it gets SIGTERM at once, and its own grace before SIGKILL. */
const SWEEP_STOP_GRACE_MS = 0;

/**
 * Keeps one server in the state a person or the configuration asked for. The lifecycle decides, this class acts:
 * it owns the current run, the timers of the current state, and the command under way.
 */
export class ServerSupervisor {
  readonly name: string;
  readonly #deps: ServerSupervisorDeps;
  readonly #commands: CommandSlot;
  readonly #noise: NoiseCounter;
  readonly #restarts: RestartTracker;
  readonly #slot: RunSlot;
  readonly #log: RunLog;
  #config: ServerConfig;
  #state: LifecycleState = initialState;
  /** The state as others see it. */
  #shown: ServerView['state'];
  #runningSince: number | undefined;
  #lastError: ErrorReport | undefined;
  #watch: RunWatch | undefined;
  #turn: StartTurn | undefined;
  #retryTimer: Disposable | undefined;
  /** Aborted when the state that it was made for is left. */
  #startAbort: AbortController | undefined;
  /** Why the run is about to be ended, when it is not for a command. */
  #verdict: PanelError | undefined;

  constructor(config: ServerConfig, deps: ServerSupervisorDeps) {
    this.name = config.name;
    this.#config = config;
    this.#deps = deps;
    this.#shown = { kind: this.#state.kind, since: deps.wallClock.epochMs() };
    this.#commands = new CommandSlot(config.name);
    this.#noise = new NoiseCounter(deps.clock, (detail) => deps.logEvent('protocol-noise', detail));
    this.#slot = new RunSlot({ ...deps, server: config.name });
    this.#restarts = new RestartTracker({
      ...deps,
      settings: () => this.#config.panel.restart,
      onStable: deps.onChange,
    });
    this.#log = new RunLog({
      logEvent: deps.logEvent,
      stderrTail: () => deps.output.tail(),
      generation: () => this.#state.generation,
      attempts: () => this.#restarts.attempts,
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
  get generation(): number {
    return this.#state.generation;
  }
  /** The connection of the run that is up; undefined in every other state. */
  get connection(): McpConnection | undefined {
    return isUp(this.#state) ? this.#slot.run?.connection : undefined;
  }
  get run(): Run | undefined {
    return this.#slot.run;
  }

  /** Resolves when running; rejects with why the first attempt failed, or SUPERSEDED. */
  start(): Promise<void> {
    return this.#command('start');
  }
  /** Resolves when no process of it is left. */
  stop(): Promise<void> {
    return this.#command('stop');
  }
  /** Resolves when running with a new generation. */
  restart(): Promise<void> {
    return this.#command('restart');
  }

  /** Takes over a changed configuration; only a change of how it is reached, or of what it was given up for, starts it anew. */
  configure(config: ServerConfig): void {
    const isSameServer = isDeepStrictEqual(connectionFields(config), connectionFields(this.#config));
    const hasAnotherChance = config.enabled && this.#isJudgedAnewBy(config);
    this.#config = config;
    this.#restarts.reconfigured();
    this.#deps.onChange();
    if (isSameServer && !hasAnotherChance) return;
    if (this.#state.kind === 'stopped' || this.#state.kind === 'stopping') return;
    // Nobody waits for it: a failure is in the state and the events.
    this.#command('restart').catch(() => undefined);
  }

  #isJudgedAnewBy({ panel }: ServerConfig): boolean {
    return this.#state.kind === 'failed' && isJudgedAnew(this.#lastError?.code, this.#config.panel, panel);
  }

  view(): Omit<ServerView, 'sample'> {
    return describeServer({
      config: this.#config,
      state: this.#shown,
      generation: this.#state.generation,
      run: this.#slot.run,
      isUp: isUp(this.#state),
      watch: this.#watch,
      restarts: this.#restarts,
      runningSince: this.#runningSince,
      lastError: this.#lastError,
    });
  }

  #command(command: Command): Promise<void> {
    const { promise, isNew } = this.#commands.submit(command);
    if (!isNew) return promise;
    if (command !== 'stop') this.#lastError = undefined;
    this.#dispatch({ kind: command });
    this.#settleIfDone();
    return promise;
  }

  /** A command may ask for the state that is already there. */
  #settleIfDone(): void {
    if (this.#state.kind === 'stopped') this.#commands.resolve('stop');
    if (this.#state.kind === 'running' || this.#state.kind === 'suspect') this.#commands.resolve('start');
  }

  #dispatch(event: LifecycleEvent, reason?: StateReason): void {
    const before = this.#state;
    const after = nextState(before, event);
    if (after === before) return;
    this.#retryTimer?.dispose();
    this.#startAbort?.abort();
    this.#state = after;
    this.#shown = { kind: after.kind, since: this.#deps.wallClock.epochMs(), ...reason };
    this.#enter(after, before);
    this.#deps.onState(this.#shown);
    this.#deps.onChange();
  }

  #enter(state: LifecycleState, before: LifecycleState): void {
    if (!isUp(state)) this.#leaveUp();
    switch (state.kind) {
      case 'starting':
        return this.#enterStarting(state);
      case 'running':
        return before.kind === 'starting' ? this.#enterRunning(before) : undefined;
      case 'stopping':
        return this.#enterStopping(state);
      case 'stalled':
        return state.isEnding ? this.#enterStalled() : undefined;
      case 'backoff':
        return this.#retryIn(state.delayMs, state.generation);
      case 'failed':
        return state.slowRetryMs === undefined
          ? undefined
          : this.#retryIn(state.slowRetryMs, state.generation);
      case 'stopped':
        this.#commands.resolve('stop');
        return undefined;
      case 'suspect':
        return undefined;
    }
  }

  #enterStarting(state: LifecycleState & { kind: 'starting' }): void {
    this.#restarts.started(state.trigger);
    this.#turn = new StartTurn(this.#config, this.#deps);
    this.#shown = withReason(this.#shown, this.#turn.reason);
    void this.#launch(state, this.#turn);
  }

  async #launch({ generation }: LifecycleState, turn: StartTurn): Promise<void> {
    const isSuperseded = (this.#startAbort = new AbortController()).signal;
    try {
      await turn.take(isSuperseded, this.#slot.cleared);
      this.#turnCame(turn.reason);
      this.#deps.output.begin(generation);
      const run = await this.#deps.createRun(this.#config, this.#hooks(generation));
      if (isSuperseded.aborted) return;
      this.#slot.put(run, generation);
      await run.launch();
      this.#dispatch({ kind: 'ready', generation });
    } catch (error) {
      this.#startFailed(generation, toStartError(error));
    } finally {
      turn.release();
    }
  }

  /** What it waits for is another thing now: the state is the same, and its words are told anew. */
  #turnCame(reason: string | undefined): void {
    if (reason === this.#shown.reason) return;
    this.#shown = withReason(this.#shown, reason);
    if (reason !== undefined) this.#deps.onState({ ...this.#shown, since: this.#deps.wallClock.epochMs() });
    this.#deps.onChange();
  }

  #hooks(generation: number): RunHooks {
    return {
      settings: () => this.#config.panel,
      onSpawned: () => {
        this.#slot.record();
        this.#deps.onChange();
      },
      onStderr: (chunk) => this.#deps.output.append(chunk),
      stderrTail: () => this.#deps.output.recent(),
      onNoise: (noise) => this.#noise.count(noise),
      onConnection: (connection) => this.#deps.onConnection?.(connection),
      onCrashed: (error) => this.#crashed(generation, error),
    };
  }

  #enterRunning(before: LifecycleState & { kind: 'starting' }): void {
    this.#runningSince = this.#shown.since;
    this.#watchRun();
    const { pid, connection } = this.#slot.run ?? {};
    const { stableAfterMs } = this.#config.panel.restart;
    const isRestart = before.trigger !== 'command' || this.#commands.pending === 'restart';
    const begun = { pid, serverInfo: connection?.serverInfo, stableAfterMs };
    this.#log.began(isRestart ? 'restarted' : 'started', begun);
    this.#commands.resolve('start', 'restart');
    // Bound to the run, not to the state: a moment of doubt does not begin the count anew.
    this.#restarts.runBegan();
  }

  #watchRun(): void {
    const connection = this.#slot.run?.connection;
    if (!connection) return;
    this.#watch = new RunWatch({
      ...this.#deps,
      server: this.name,
      isDebugged: runsUnderDebugger(this.#config),
      seesTree: this.#config.transport === 'stdio',
      installs: packageRunOf(this.#config),
      connection,
      learnt: this.#deps.learnt.of(this.name, connection.serverInfo),
      settings: () => this.#config.panel,
      onSuspect: (verdict, evidence) => this.#suspected(verdict, evidence),
      onStalled: (verdict, evidence) => this.#stalled(verdict, evidence),
      onRecovered: (evidence) => this.#recovered(evidence),
      onLimit: (action, error) => this.#overLimit(action, error),
    });
  }

  /** A look at its tree. */
  sampled(tree: TreeSample): void {
    this.#slot.run?.sampled(tree);
    this.#turn?.looked(tree.facts);
    this.#slot.record();
    this.#watch?.sampled(tree);
  }

  /** The machine was asleep. A server that was given up gets one more chance, within the budget of the hour. */
  resumed(): void {
    this.#watch?.resumed();
    const { kind, generation } = this.#state;
    if (kind === 'failed' && this.#restarts.allowsAutomaticStart)
      this.#dispatch({ kind: 'retryDue', generation });
  }

  #overLimit(action: 'restart' | 'stop', error: PanelError): void {
    this.#lastError = toErrorReport(error, 'LIMIT_BREACHED');
    this.#verdict = error;
    const next = action === 'restart' ? 'verdict' : 'stopped';
    this.#dispatch({ kind: 'limitBreached', generation: this.#state.generation, next }, reasonOf(error));
  }

  #leaveUp(): void {
    this.#runningSince = undefined;
    this.#restarts.runEnded();
    this.#watch?.dispose();
    this.#watch = undefined;
  }

  #suspected(verdict: SuspectVerdict, evidence: Evidence): void {
    this.#log.doubted('suspect', verdict, evidence);
    this.#dispatch({ kind: 'suspected', generation: this.#state.generation }, reasonOfVerdict(verdict));
  }

  #stalled(verdict: StallVerdict, evidence: Evidence): void {
    const isEnding = this.#config.panel.health.onStall === 'restart';
    const { generation } = this.#state;
    const error = stallError(this.name, verdict, evidence, this.#deps.wallClock.epochMs());
    this.#lastError = toErrorReport(error, 'STALLED');
    if (isEnding) this.#verdict = error;
    this.#log.doubted('stalled', verdict, evidence);
    this.#dispatch({ kind: 'stallConfirmed', generation, isEnding }, reasonOfVerdict(verdict));
  }

  #recovered(evidence: Evidence): void {
    this.#log.recovered(evidence);
    this.#dispatch({ kind: 'recovered', generation: this.#state.generation });
  }

  #startFailed(generation: number, error: PanelError): void {
    // Ended by a command while it was starting: that command's own clean-up is under way.
    if (this.#state.kind !== 'starting' || this.#state.generation !== generation) return;
    if (this.#restarts.isNewsOf(error)) this.#log.startFailed(error);
    this.#fail('start', error);
    this.#commands.reject(error, 'start', 'restart');
  }

  #crashed(generation: number, error: PanelError): void {
    if (generation !== this.#state.generation || !isUp(this.#state)) return;
    const calls = this.#slot.run?.connection?.ledger.inFlightAt(this.#deps.clock.now());
    this.#log.crashed(error, calls);
    this.#fail('crash', error);
  }

  /** The run is over by itself: what it left is swept while the policy's decision already shows. */
  #fail(cause: FailureCause, error: PanelError): void {
    this.#lastError = toErrorReport(error, 'CRASHED');
    const { killGraceMs } = this.#config.panel;
    const { generation } = this.#state;
    this.#slot.end((run) => run.end({ stopGraceMs: SWEEP_STOP_GRACE_MS, killGraceMs }, error));
    const after = this.#restarts.decide(cause, error);
    this.#dispatch({ kind: 'failed', generation, after }, reasonOf(error));
  }

  #enterStopping(state: LifecycleState & { kind: 'stopping' }): void {
    const { stopGraceMs, killGraceMs } = this.#config.panel;
    const verdict = this.#takeVerdict();
    const error = verdict ?? new PanelError('STOPPED', `${this.name} was stopped.`);
    const end = (run: Run) => run.end({ stopGraceMs, killGraceMs }, error);
    // Stopped with a reason is stopped by the panel itself, which only a person undoes.
    this.#endRun(end, state.next === 'verdict' ? { cause: 'limit', error } : undefined, verdict);
  }

  #enterStalled(): void {
    const error = this.#takeVerdict() ?? new PanelError('STALLED', `${this.name} did not respond.`);
    this.#endRun((run) => run.kill(error), { cause: 'stall', error });
  }

  #takeVerdict(): PanelError | undefined {
    const verdict = this.#verdict;
    this.#verdict = undefined;
    return verdict;
  }

  /** Ends the current run, and says so to the lifecycle once no process is left. A failure is put to the policy then. */
  #endRun(
    how: (run: Run) => Promise<StopReport>,
    failure?: { cause: FailureCause; error: PanelError },
    because = failure?.error,
  ): void {
    const state = this.#state;
    const { generation } = state;
    this.#slot.end(how);
    void this.#slot.cleared.then(() => {
      // A later command has taken over; it waits for the same end and speaks for itself.
      if (this.#state !== state) return;
      if (state.kind === 'stopping' && state.next === 'stopped') this.#log.stopped();
      const after = failure && this.#restarts.decide(failure.cause, failure.error);
      this.#dispatch({ kind: 'gone', generation, ...(after && { after }) }, because && reasonOf(because));
    });
  }

  #retryIn(delayMs: number, generation: number): void {
    this.#shown = { ...this.#shown, nextRetryAt: this.#shown.since + delayMs };
    const retry = () => this.#dispatch({ kind: 'retryDue', generation });
    this.#retryTimer = this.#deps.clock.setTimeout(retry, delayMs);
  }
}
