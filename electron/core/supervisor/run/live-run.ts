import type { Sample, ServerView } from '../../../../shared/domain.ts';
import type { LogEvent } from '../../../../shared/events.ts';
import type { PanelError } from '../../../../shared/error-codes.ts';
import type { PanelSettings } from '../../../../shared/panel-settings.ts';
import type { ServerConfig } from '../../../../shared/server-config.ts';
import type { Clock, Disposable, RandomSource, WallClock } from '../../clock.ts';
import type { TreeSample } from '../../telemetry/tree-sample.ts';
import type { McpConnection } from '../../mcp/mcp-connection.ts';
import { outOfReach } from '../../platform/out-of-reach.ts';
import { hasInspector } from '../inspector.ts';
import type { Evidence } from '../liveness/evidence.ts';
import { isActedUpon } from '../liveness/verdict.ts';
import type { LifecycleEvent } from '../server-lifecycle.ts';
import { packageRunOf } from '../../../../shared/package-run.ts';
import { reasonOf, reasonOfVerdict, type StateReason } from '../state-reason.ts';
import { atEndOf, type AtEnd } from './at-end.ts';
import { stallError } from './run-errors.ts';
import type { RunLog } from './run-log.ts';
import { RunWatch, type ObservedServers, type StallVerdict } from './run-watch.ts';

/** Finding about a run that is up, reported to the lifecycle. */
export interface RunFinding {
  readonly event: LifecycleEvent;
  readonly reason?: StateReason;
  /** Problem of the run; if the event ends the run, also the reason of the end. */
  readonly error?: PanelError;
}

export interface LiveRunOptions {
  readonly config: ServerConfig;
  readonly generation: number;
  /** Epoch milliseconds of the handshake. */
  readonly runningSince: number;
  readonly connection: McpConnection | undefined;
  /** Returns the settings; called at each use, because changed `panel` settings apply to the current run. */
  readonly settings: () => PanelSettings;
  readonly learnt: ObservedServers;
  readonly clock: Clock;
  readonly wallClock: WallClock;
  readonly random: RandomSource;
  readonly log: RunLog;
  readonly logEvent: LogEvent;
  readonly onFound: (finding: RunFinding) => void;
  readonly onChange: () => void;
}

/** One run from its handshake to the beginning of its end, when its owner disposes it. */
export class LiveRun implements Disposable {
  readonly #options: LiveRunOptions;
  readonly #watch: RunWatch | undefined;
  readonly #upSinceMs: number;
  /** Last sample of the run's process tree; undefined before a sample was taken. */
  #sample: Sample | undefined;

  constructor(options: LiveRunOptions) {
    this.#options = options;
    this.#upSinceMs = options.clock.now();
    this.#watch = options.connection && this.#watchOver(options.connection);
  }

  view(): Pick<ServerView, 'runningSince'> & ReturnType<RunWatch['view']> {
    return { runningSince: this.#options.runningSince, ...this.#watch?.view() };
  }

  /** Milliseconds since the last use ended; without one, since the run was up. Undefined while it is in use. */
  get idleMs(): number | undefined {
    const { clock, connection } = this.#options;
    if (connection?.use.isInUse) return undefined;
    return clock.now() - Math.max(this.#upSinceMs, connection?.use.lastUseAtMs ?? 0);
  }

  /** Takes a sample of the run's process tree. */
  sampled(tree: TreeSample): void {
    this.#sample = tree.sample;
    // No verdict hangs on the figures of a server that is not ours.
    if (this.#options.config.transport === 'stdio') this.#watch?.sampled(tree);
  }

  /** Returns the state of the run when its end begins. */
  atEnd(): AtEnd {
    const { clock, connection, settings } = this.#options;
    const calls = connection?.ledger.inFlightAt(clock.now()) ?? [];
    return atEndOf(calls, this.#sample, settings().limits);
  }

  /** Called after the machine slept. */
  resumed(): void {
    this.#watch?.resumed();
  }

  dispose(): void {
    this.#watch?.dispose();
  }

  #watchOver(connection: McpConnection): RunWatch {
    const { config, generation, learnt, log, onFound } = this.#options;
    return new RunWatch({
      ...this.#options,
      server: config.name,
      seesTree: config.transport === 'stdio',
      reachesOut: config.transport === 'stdio' && outOfReach(config.command, config.args) !== undefined,
      installs: packageRunOf(config),
      connection,
      learnt: learnt.of(config.name, connection.serverInfo),
      onSuspect: (verdict, evidence) => {
        log.doubted('suspect', verdict, evidence);
        onFound({ event: { kind: 'suspected', generation }, reason: reasonOfVerdict(verdict) });
      },
      onStalled: (verdict, evidence) => {
        log.doubted('stalled', verdict, evidence, {
          ...this.atEnd(),
          isEnding: this.#endsOn(verdict) || undefined,
        });
        onFound(this.#stall(verdict, evidence));
      },
      onRecovered: (evidence, doubt) => {
        log.recovered(evidence, doubt);
        onFound({ event: { kind: 'recovered', generation } });
      },
      onLimit: (action, error) => {
        const next = action === 'restart' ? 'verdict' : 'stopped';
        onFound({ event: { kind: 'limitBreached', generation, next }, reason: reasonOf(error), error });
      },
    });
  }

  #endsOn({ row }: StallVerdict): boolean {
    const { config, settings } = this.#options;
    // A check that convicts has a setting of its own that says so.
    const isWanted = row === 10 || settings().health.onStall === 'restart';
    return isWanted && isActedUpon(row, hasInspector(config));
  }

  #stall(verdict: StallVerdict, evidence: Evidence): RunFinding {
    const { config, generation, wallClock } = this.#options;
    return {
      event: { kind: 'stallConfirmed', generation, isEnding: this.#endsOn(verdict) },
      reason: reasonOfVerdict(verdict),
      error: stallError(config.name, verdict, evidence, wallClock.epochMs()),
    };
  }
}
