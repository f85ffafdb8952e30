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
import type { Evidence } from '../liveness/gather-facts.ts';
import { isActedUpon } from '../liveness/verdict.ts';
import type { LifecycleEvent } from '../server-lifecycle.ts';
import { packageRunOf } from '../../../../shared/package-run.ts';
import { reasonOf, reasonOfVerdict, type StateReason } from '../state-reason.ts';
import { stallError } from './run-errors.ts';
import { type RunLog, atEndOf, type AtEnd } from './run-log.ts';
import { RunWatch, type ObservedServers, type StallVerdict } from './run-watch.ts';

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

  sampled(tree: TreeSample): void {
    this.#sample = tree.sample;
    this.#watch?.sampled(tree);
  }

  atEnd(): AtEnd {
    const { clock, connection, settings } = this.#options;
    const calls = connection?.ledger.inFlightAt(clock.now()) ?? [];
    return atEndOf(calls, this.#sample, settings().limits);
  }

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
