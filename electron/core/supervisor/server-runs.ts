import type { PanelError } from '../../../shared/error-codes.ts';
import type { ServerConfig } from '../../../shared/server-config.ts';
import type { Sample, ServerView } from '../../../shared/domain.ts';
import type { McpConnection } from '../mcp/mcp-connection.ts';
import type { TreeSample } from '../telemetry/tree-sample.ts';
import { MalformedOutputCounter } from '../mcp/malformed-output.ts';
import { RunWatch, type RunFinding } from './run/run-watch.ts';
import { atEndOf, type AtEnd, type RunLog } from './run/run-log.ts';
import type { Sleepless } from './run/run-errors.ts';
import { RunStart } from './run/run-start.ts';
import type { Run, RunHooks } from './run/run.ts';
import { keepNoise } from './run/said-words.ts';
import type { ServerSupervisorDeps } from './server-supervisor-deps.ts';
import type { StartPurpose } from './start/start-line.ts';
import type { StopReport } from '../platform/hosted-run.ts';
import { messageOf } from '../../../shared/message-of.ts';

/** Milliseconds from closing stdin to SIGTERM when the remaining processes of a failed run are ended. */
const SWEEP_STOP_GRACE_MS = 0;

interface ServerRunsOptions {
  readonly deps: ServerSupervisorDeps;
  /** Returns the configuration. Called at each use: changed settings apply at once, a changed command line to the next run. */
  readonly config: () => ServerConfig;
  readonly log: RunLog;
  /**
   * Called when the reason why a start takes long may have changed. `hasCome` is true if the start was admitted, and false if
   * its position in the queue or its wait changed.
   */
  readonly onReason: (reason: string | undefined, hasCome: boolean) => void;
  readonly onUp: (generation: number) => void;
  readonly onStartFailed: (error: PanelError) => void;
  readonly onCrashed: (generation: number, error: PanelError) => void;
  readonly onFound: (finding: RunFinding) => void;
}

/** A run from its handshake to the beginning of its end. */
interface UpRun {
  readonly sinceMs: number;
  /** Epoch milliseconds of the handshake. */
  readonly runningSince: number;
  readonly connection: McpConnection | undefined;
  readonly watch: RunWatch | undefined;
  /** Last sample of the run's process tree; undefined before the first sample. */
  sample: Sample | undefined;
}

/** Creates, monitors and ends the runs of one server, one after the other. */
export class ServerRuns {
  readonly #options: ServerRunsOptions;
  readonly #noise: MalformedOutputCounter;
  /** The newest run, until no process of it is left. Only then does the next run begin. */
  #run: Run | undefined;
  #generation = 0;
  #cleared: Promise<void> = Promise.resolve();
  /** The newest start, until its run is up. A cancelled start may keep its slot at the start gate for a while. */
  #start: RunStart | undefined;
  #up: UpRun | undefined;

  constructor(options: ServerRunsOptions) {
    this.#options = options;
    const { deps } = options;
    this.#noise = new MalformedOutputCounter(deps.clock, (detail) => deps.logEvent('protocol-noise', detail));
  }

  /** The newest run, until no process of it is left; undefined otherwise. */
  get current(): Run | undefined {
    return this.#run;
  }

  /** Milliseconds since the last use of the run that is up, or the reason why it cannot sleep. */
  get idle(): number | Sleepless {
    if (this.#options.config().transport !== 'stdio') return 'remote';
    return this.#up ? (this.idleMs ?? 'in-use') : 'not-running';
  }

  /** Milliseconds since the run was last in use or, if never used, since it came up. Undefined if it is in use or not up. */
  get idleMs(): number | undefined {
    if (!this.#up || this.#up.connection?.use.isInUse) return undefined;
    const { sinceMs, connection } = this.#up;
    return this.#options.deps.clock.now() - Math.max(sinceMs, connection?.use.lastUseAtMs ?? 0);
  }

  /** View of the run that is up; undefined if no run is up. */
  get upView(): (Pick<ServerView, 'runningSince'> & ReturnType<RunWatch['view']>) | undefined {
    return this.#up && { runningSince: this.#up.runningSince, ...this.#up.watch?.view() };
  }

  /** State of the run that is up, for the event of its end; undefined if no run is up. */
  atEnd(): AtEnd | undefined {
    if (!this.#up) return undefined;
    const { connection, sample } = this.#up;
    const { config, deps } = this.#options;
    const calls = connection?.ledger.inFlightAt(deps.clock.now()) ?? [];
    return atEndOf(calls, sample, config().panel.limits);
  }

  /** Settles when no process of the ended runs is left. Never rejects. */
  get cleared(): Promise<void> {
    return this.#cleared;
  }

  /** Starts a run once no process of the last run is left. @returns why it takes long, as text for the state */
  begin(generation: number, purpose: StartPurpose): string | undefined {
    const { deps, config, onReason, onUp, onStartFailed } = this.#options;
    this.#start = new RunStart(config(), {
      ...deps,
      purpose,
      cleared: this.#cleared,
      onReason,
      createRun: (resolved, request) => {
        deps.output.begin(generation);
        return deps.createRun(resolved, this.#hooks(generation), request);
      },
      onRun: (run) => {
        this.#run = run;
        this.#generation = generation;
      },
      onUp: () => onUp(generation),
      onFailed: onStartFailed,
    });
    void this.#start.begin();
    return this.#start.reason;
  }

  hurryStart(): void {
    this.#start?.hurry();
  }

  /** Cancels a start in progress. A run that the start has launched must be ended separately. */
  cancelStart(): void {
    this.#start?.dispose();
  }

  /** Monitors the run that is up, until `leaveUp` is called. */
  enterUp(generation: number, runningSince: number): void {
    const { deps, config, log, onFound } = this.#options;
    this.#start = undefined;
    const connection = this.#run?.connection;
    const watch =
      connection &&
      new RunWatch({
        ...deps,
        config: config(),
        generation,
        connection,
        settings: () => config().panel,
        log,
        atEnd: () => this.atEnd(),
        onFound,
      });
    this.#up = { sinceMs: deps.clock.now(), runningSince, connection, watch, sample: undefined };
  }

  leaveUp(): void {
    this.#up?.watch?.dispose();
    this.#up = undefined;
  }

  resumed(): void {
    this.#up?.watch?.resumed();
  }

  sampled(tree: TreeSample): void {
    this.#run?.sampled(tree);
    this.#start?.looked(tree.facts);
    this.#record();
    if (!this.#up) return;
    this.#up.sample = tree.sample;
    // The processes of a remote server may be sampled (in a cluster), but the panel does not own them, so their figures must
    // not affect verdicts and limits.
    if (this.#options.config().transport === 'stdio') this.#up.watch?.sampled(tree);
  }

  stop(error: PanelError): void {
    const { stopGraceMs, killGraceMs } = this.#options.config().panel;
    this.#end((run) => run.end({ stopGraceMs, killGraceMs }, error));
  }

  /** Ends the remaining processes of a run that ended without being stopped. */
  sweep(error: PanelError): void {
    const { killGraceMs } = this.#options.config().panel;
    this.#end((run) => run.end({ stopGraceMs: SWEEP_STOP_GRACE_MS, killGraceMs }, error));
  }

  kill(error: PanelError): void {
    this.#end((run) => run.kill(error));
  }

  #hooks(generation: number): RunHooks {
    const { deps, config, onCrashed } = this.#options;
    return {
      generation,
      settings: () => config().panel,
      announce: (marker) => deps.custody.announce({ server: config().name, generation, marker }),
      onHosted: () => {
        this.#record();
        deps.onChange();
      },
      onPulling: (words) => this.#start?.waits(words),
      onStderr: (chunk) => deps.output.append(chunk),
      stderrTail: () => deps.output.recent(),
      onMalformed: (noise) => {
        this.#noise.count(noise);
        keepNoise(deps.output, noise);
      },
      onConnection: (connection) => deps.onConnection?.(connection),
      onCrashed: (error) => onCrashed(generation, error),
    };
  }

  #record(): void {
    const { deps, config } = this.#options;
    const server = config().name;
    if (this.#run?.record) deps.custody.record({ server, generation: this.#generation, ...this.#run.record });
  }

  /** Ends the run, if any; `cleared` then waits for its end. */
  #end(how: (run: Run) => Promise<StopReport>): void {
    const run = this.#run;
    if (!run) return;
    const ended = how(run).then(
      (report) => this.#leave(run, report),
      (error: unknown) => this.#notice(`its processes could not be ended: ${messageOf(error)}`),
    );
    this.#cleared = Promise.all([this.#cleared, ended]).then(() => undefined);
  }

  #leave(run: Run, report: StopReport): void {
    if (this.#run !== run) return; // A run may be ended twice (a crash, then a stop), but its end is reported once.
    this.#run = undefined;
    const { logEvent, custody, onChange } = this.#options.deps;
    const { forceKilledPids: pids, leftPids, lookError, leftContainer } = report;
    const left = leftPids.length > 0 ? leftPids : undefined;
    if (pids.length > 0) logEvent('force-killed', { pids, signal: 'SIGKILL', leftPids: left });
    if (left) this.#notice(`processes ${left.join(', ')} did not end even after SIGKILL`);
    if (lookError)
      this.#notice(`its processes could not be looked up, some may be left: ${lookError.message}`);
    if (leftContainer !== undefined) this.#notice(leftContainer);
    // Processes that may still run stay on record, so that the next app run tries again to end them.
    if (run.record && !left && !lookError) custody.forget(run.record);
    onChange();
  }

  #notice(words: string): void {
    const { deps, config } = this.#options;
    deps.notice(`${config().name}: ${words}`);
  }
}
