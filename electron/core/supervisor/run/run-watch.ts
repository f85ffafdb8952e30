import type { EventKind, ServerView } from '../../../../shared/domain.ts';
import type { PanelError } from '../../../../shared/error-codes.ts';
import type { PanelSettings } from '../../../../shared/panel-settings.ts';
import type { Clock, RandomSource, WallClock } from '../../clock.ts';
import type { TreeSample } from '../../telemetry/tree-sample.ts';
import { LimitGuard } from '../limits/limit-guard.ts';
import { limitSampleOf } from '../limits/limited-tree.ts';
import { LivenessMonitor, type Evidence } from '../liveness/liveness-monitor.ts';
import { nothingLearnt, type LearntAnswers } from '../liveness/probe-book.ts';
import type { Verdict } from '../liveness/verdict.ts';
import type { CallInFlight } from '../connection/call-ledger.ts';
import type { McpConnection } from '../connection/mcp-connection.ts';
import type { PackageRun } from '../start/package-runner.ts';

export type StallVerdict = Extract<Verdict, { kind: 'stalled' }>;
export type SuspectVerdict = Extract<Verdict, { kind: 'suspect' }>;

export interface RunWatchOptions {
  readonly server: string;
  /** Started under a debugger: checks are paused for the whole run. */
  readonly isDebugged: boolean;
  /** It is a process tree of ours, looks at which come by `sampled`. */
  readonly seesTree: boolean;
  /** What its command line installs before it runs. */
  readonly installs?: PackageRun | undefined;
  readonly clock: Clock;
  readonly wallClock: WallClock;
  readonly random: RandomSource;
  readonly connection: McpConnection;
  readonly learnt: LearntAnswers;
  readonly settings: () => PanelSettings;
  readonly onSuspect: (verdict: SuspectVerdict, evidence: Evidence) => void;
  readonly onStalled: (verdict: StallVerdict, evidence: Evidence) => void;
  /** It answers again. */
  readonly onRecovered: (evidence: Evidence) => void;
  /** A hard limit was breached, and the tree has to end for it. */
  readonly onLimit: (action: 'restart' | 'stop', error: PanelError) => void;
  readonly logEvent: (kind: EventKind, detail: Record<string, unknown>) => void;
  /** Health or busyness has changed. */
  readonly onChange: () => void;
}

/** What this panel has learnt of each server version, over its runs. */
export class LearntServers {
  readonly #byVersion = new Map<string, LearntAnswers>();

  of(server: string, info: { name: string; version: string } | undefined): LearntAnswers {
    const key = JSON.stringify([server, info?.name, info?.version]);
    const known = this.#byVersion.get(key) ?? nothingLearnt();
    this.#byVersion.set(key, known);
    return known;
  }
}

/** Looks after one run that is up. The owner disposes it when the run is over. */
export class RunWatch {
  readonly #options: RunWatchOptions;
  readonly #liveness: LivenessMonitor;
  readonly #limits: LimitGuard;
  readonly #undo: readonly (() => void)[];
  #verdict: Verdict['kind'] = 'alive';

  constructor(options: RunWatchOptions) {
    this.#options = options;
    const { clock, random, connection, learnt, settings } = options;
    this.#liveness = new LivenessMonitor({
      clock,
      random,
      connection,
      learnt,
      settings,
      seesTree: options.seesTree,
      // A process of ours is asked over its pipe.
      holdsCalls: options.seesTree,
      canLog: connection.capabilities.logging !== undefined,
      onVerdict: (verdict, evidence) => this.#judged(verdict, evidence),
    });
    this.#liveness.observed({ stoppedPids: [], isTraced: options.isDebugged });
    this.#limits = new LimitGuard({
      clock,
      server: options.server,
      settings: () => settings().limits,
      awaitedCalls: () => connection.ledger.awaitedAt(clock.now()).length,
      logEvent: (kind, detail) =>
        options.logEvent(
          kind,
          kind === 'limit-breached' ? { ...detail, calls: this.#callsInFlight } : detail,
        ),
      onAct: options.onLimit,
    });
    this.#undo = [
      connection.onBeforeCall(() => this.#liveness.beforeCall()),
      connection.onNotification(({ method }) => {
        if (method === 'notifications/message') this.#liveness.heartbeat();
      }),
    ];
  }

  /** A look at the tree. */
  sampled(tree: TreeSample): void {
    const { facts } = tree;
    this.#liveness.observed({ ...facts, isTraced: facts.isTraced || this.#options.isDebugged });
    this.#limits.sampled(limitSampleOf(tree, this.#options.installs));
  }

  resumed(): void {
    this.#liveness.resumed();
  }

  view(): Pick<ServerView, 'health' | 'unansweredSince' | 'busy'> {
    const { clock, connection } = this.#options;
    const now = clock.now();
    const calls = connection.ledger.awaitedAt(now);
    // They are in the order in which they were sent.
    const [oldest] = calls;
    if (oldest === undefined) return this.#healthView;
    const { method, target, startedAtMs } = oldest;
    const name = target === undefined ? method : `${method} ${target}`;
    const silentMs = Math.round(now - connection.lastActivityAtMs);
    const busy = {
      calls: calls.length,
      oldestMs: Math.round(now - startedAtMs),
      oldest: name,
      ...(this.#verdict === 'busy' && { silentMs }),
    };
    return { ...this.#healthView, busy };
  }

  dispose(): void {
    for (const undo of this.#undo) undo();
    this.#liveness.dispose();
  }

  get #callsInFlight(): readonly CallInFlight[] {
    const { clock, connection } = this.#options;
    return connection.ledger.inFlightAt(clock.now());
  }

  get #healthView(): Pick<ServerView, 'health' | 'unansweredSince'> {
    const { clock, wallClock } = this.#options;
    const owedSinceMs = this.#liveness.answerOwedSinceMs;
    if (owedSinceMs === undefined) return { health: this.#health };
    const unansweredSince = Math.round(wallClock.epochMs() - (clock.now() - owedSinceMs));
    return { health: this.#health, unansweredSince };
  }

  get #health(): NonNullable<ServerView['health']> {
    if (this.#verdict === 'unknown') return 'unknown';
    return this.#verdict === 'paused' ? 'paused' : 'ok';
  }

  #judged(verdict: Verdict, evidence: Evidence): void {
    const wasDoubted = this.#verdict === 'suspect' || this.#verdict === 'stalled';
    this.#verdict = verdict.kind;
    if (verdict.kind === 'suspect') this.#options.onSuspect(verdict, evidence);
    else if (verdict.kind === 'stalled') this.#options.onStalled(verdict, evidence);
    else if (wasDoubted) this.#options.onRecovered(evidence);
    this.#options.onChange();
  }
}
