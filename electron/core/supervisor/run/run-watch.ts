import type { ServerView } from '../../../../shared/domain.ts';
import type { LogEvent } from '../../../../shared/events.ts';
import { packageRunOf, type PackageRun } from '../../../../shared/package-run.ts';
import type { ServerConfig } from '../../../../shared/server-config.ts';
import { outOfReach } from '../../platform/out-of-reach.ts';
import type { LifecycleEvent } from '../server-lifecycle.ts';
import { reasonOf, reasonOfVerdict, type StateReason } from '../state-reason.ts';
import { stallError, type StallVerdict } from './run-errors.ts';
import type { AtEnd, RunLog } from './run-log.ts';
import type { PanelError } from '../../../../shared/error-codes.ts';
import type { PanelSettings } from '../../../../shared/panel-settings.ts';
import type { Clock, RandomSource, WallClock } from '../../clock.ts';
import type { TreeSample } from '../../telemetry/tree-sample.ts';
import { LimitGuard } from '../limits/limit-guard.ts';
import { limitSampleOf } from '../limits/limited-tree.ts';
import type { Evidence } from '../liveness/gather-facts.ts';
import { LivenessMonitor } from '../liveness/liveness-monitor.ts';
import { OwnCheck } from '../liveness/own-check.ts';
import type { ProvenKinds } from '../liveness/probe-book.ts';
import { isActedUpon, type Verdict, type VerdictRow } from '../liveness/verdict.ts';
import type { CallInFlight } from '../../mcp/open-call.ts';
import type { McpConnection } from '../../mcp/mcp-connection.ts';
import { commandsIn } from '../../platform/wrapper-programs.ts';
import { programName } from '../../../../shared/program-name.ts';

export interface RunFinding {
  readonly event: LifecycleEvent;
  readonly reason?: StateReason;
  /** Problem of the run; if the event ends the run, also the reason for its end. */
  readonly error?: PanelError;
}

interface RunWatchOptions {
  readonly config: ServerConfig;
  readonly generation: number;
  readonly clock: Clock;
  readonly wallClock: WallClock;
  readonly random: RandomSource;
  readonly connection: McpConnection;
  readonly learnt: Pick<ObservedServers, 'of'>;
  readonly settings: () => PanelSettings;
  readonly log: Pick<RunLog, 'doubted' | 'recovered'>;
  readonly atEnd: () => AtEnd | undefined;
  readonly onFound: (finding: RunFinding) => void;
  readonly logEvent: LogEvent;
  readonly onChange: () => void;
}

/** Remembers, across runs, which kinds of probe (checks that a server still answers) each version of each server answered. */
export class ObservedServers {
  readonly #byVersion = new Map<string, ProvenKinds>();

  of(server: string, info: { name: string; version: string } | undefined): ProvenKinds {
    const key = JSON.stringify([server, info?.name, info?.version]);
    const known: ProvenKinds = this.#byVersion.get(key) ?? new Set();
    this.#byVersion.set(key, known);
    return known;
  }
}

/** Monitors one run that is up. The owner disposes it when the run has ended. */
export class RunWatch {
  readonly #options: RunWatchOptions;
  readonly #liveness: LivenessMonitor;
  readonly #check: OwnCheck;
  readonly #limits: LimitGuard;
  readonly #undo: () => void;
  /**
   * Whether the command line runs the server outside this machine's process table (for example in a container or by ssh), so
   * that its work cannot be observed.
   */
  readonly #reachesOut: boolean;
  /** Package that the command line (for example `npx`) may install before it runs it; undefined if there is none. */
  readonly #installs: PackageRun | undefined;
  /** Row of the verdict table (docs/verdicts.md) that makes the server suspect or stalled; undefined if it is neither. */
  #doubt: VerdictRow | undefined;

  constructor(options: RunWatchOptions) {
    this.#options = options;
    const { clock, random, config, connection, settings } = options;
    const seesTree = config.transport === 'stdio';
    this.#reachesOut = seesTree && outOfReach(config.command, config.args) !== undefined;
    this.#installs = packageRunOf(config);
    this.#check = new OwnCheck({ clock, connection, settings });
    this.#liveness = new LivenessMonitor({
      clock,
      random,
      connection,
      learnt: options.learnt.of(config.name, connection.serverInfo),
      settings,
      check: this.#check,
      seesTree,
      // Calls are held back only over a pipe, because a local process handles probes and calls one after the other.
      holdsCalls: seesTree,
      canLog: connection.capabilities.logging !== undefined,
      onVerdict: (verdict, evidence) => this.#judged(verdict, evidence),
    });
    this.#limits = new LimitGuard({
      clock,
      server: config.name,
      settings: () => settings().limits,
      awaitedCalls: () => connection.ledger.awaitedAt(clock.now()).length,
      logEvent: (kind, detail) =>
        options.logEvent(
          kind,
          kind === 'limit-breached' ? { ...detail, calls: this.#callsInFlight } : detail,
        ),
      onAct: (action, error) => this.#breached(action, error),
    });
    this.#undo = connection.onBeforeCall(() => this.#liveness.beforeCall());
  }

  sampled(tree: TreeSample): void {
    const { facts } = tree;
    this.#liveness.observed({ ...facts, reachesOut: facts.reachesOut ?? this.#reachesOut });
    this.#limits.sampled(limitSampleOf(tree, this.#installs));
  }

  resumed(): void {
    this.#liveness.resumed();
  }

  view(): Pick<ServerView, 'health' | 'unansweredSince' | 'isUnseen' | 'overdue' | 'busy'> {
    const { clock, connection } = this.#options;
    const now = clock.now();
    // Requests of the panel itself do not count as work in progress, so that a stop right after a start, while the lists are
    // read, does not ask the user to confirm.
    const calls = connection.ledger.awaitedAt(now).filter(({ caller }) => caller.by !== 'panel');
    // Calls are in the order in which they were sent.
    const [oldest] = calls;
    if (oldest === undefined) return this.#healthView;
    const { method, target, startedAtMs } = oldest;
    const name = target === undefined ? method : `${method} ${target}`;
    const silentMs = Math.round(now - connection.lastActivityAtMs);
    const busy = {
      calls: calls.length,
      oldestMs: Math.round(now - startedAtMs),
      oldest: name,
      ...(this.#liveness.verdict.kind === 'busy' && { silentMs }),
    };
    return { ...this.#healthView, busy };
  }

  dispose(): void {
    this.#undo();
    this.#liveness.dispose();
    this.#check.dispose();
  }

  get #callsInFlight(): readonly CallInFlight[] {
    const { clock, connection } = this.#options;
    return connection.ledger.inFlightAt(clock.now());
  }

  get #healthView(): Pick<ServerView, 'health' | 'unansweredSince' | 'isUnseen' | 'overdue'> {
    const { clock, wallClock } = this.#options;
    const { verdict, answerOwedSinceMs: owedSinceMs } = this.#liveness;
    return {
      health: healthOf(verdict),
      ...(owedSinceMs !== undefined && {
        unansweredSince: Math.round(wallClock.epochMs() - (clock.now() - owedSinceMs)),
      }),
      ...(verdict.kind === 'working' && verdict.work === 'unseen' && { isUnseen: true as const }),
      ...(verdict.kind === 'overdue' && { overdue: this.#overdue(verdict) }),
    };
  }

  #overdue(verdict: Extract<Verdict, { kind: 'overdue' }>): NonNullable<ServerView['overdue']> {
    const { clock, connection } = this.#options;
    const { ledger } = connection;
    if (verdict.row === '7c') return { what: 'answers-checks', calls: ledger.lostCalls };
    const what = verdict.work === 'none' ? 'silent' : verdict.work;
    return { what, calls: ledger.overdueAt(clock.now()).length };
  }

  #judged(verdict: Verdict, evidence: Evidence): void {
    const doubt = this.#doubt;
    this.#doubt = verdict.kind === 'suspect' || verdict.kind === 'stalled' ? verdict.row : undefined;
    const { generation, log, onFound, onChange } = this.#options;
    if (verdict.kind === 'suspect') {
      log.doubted('suspect', verdict, evidence);
      onFound({ event: { kind: 'suspected', generation }, reason: reasonOfVerdict(verdict) });
    } else if (verdict.kind === 'stalled') this.#stalled(verdict, evidence);
    else if (doubt !== undefined) {
      log.recovered(evidence, doubt);
      onFound({ event: { kind: 'recovered', generation } });
    }
    onChange();
  }

  #stalled(verdict: StallVerdict, evidence: Evidence): void {
    const { config, generation, wallClock, log, atEnd, onFound } = this.#options;
    const isEnding = this.#endsOn(verdict);
    log.doubted('stalled', verdict, evidence, { ...atEnd(), isEnding: isEnding || undefined });
    onFound({
      event: { kind: 'stallConfirmed', generation, isEnding },
      reason: reasonOfVerdict(verdict),
      error: stallError(config.name, verdict, evidence, wallClock.epochMs()),
    });
  }

  #endsOn({ row }: StallVerdict): boolean {
    const { config, settings } = this.#options;
    // Row 10 is the user's own health check, whose `onFail` setting already decides whether to act, so `onStall` does not
    // apply.
    const isWanted = row === 10 || settings().health.onStall === 'restart';
    return isWanted && isActedUpon(row, hasInspector(config));
  }

  #breached(action: 'restart' | 'stop', error: PanelError): void {
    const { generation, onFound } = this.#options;
    const next = action === 'restart' ? 'verdict' : 'stopped';
    onFound({ event: { kind: 'limitBreached', generation, next }, reason: reasonOf(error), error });
  }
}

function healthOf({ kind }: Verdict): NonNullable<ServerView['health']> {
  if (kind === 'unknown') return 'unknown';
  return kind === 'held' ? 'paused' : 'ok';
}

const FLAG = /^--inspect(-brk|-wait)?(=|$)/;
const DEBUGGER = /^(dlv|debugpy|debugpy-adapter)$/;
/** Programs that take the inspector flag before a script's name. */
const NODE_LIKE = /^(node|nodejs|bun|deno|tsx|ts-node|electron)$/;
const PYTHON = /^(python[0-9.]*|py)$/;
/** Options of Node-like programs whose value is a separate word, which must not be mistaken for the script. */
const WITH_VALUE =
  /^(-r|--require|--import|--loader|--experimental-loader|--env-file|-C|--conditions|--tsconfig|-W|-X|-c|--config)$/;

/**
 * True if the command line runs the server with a debugger attached, so that its developer may pause it at any time. Recognizes
 * the flags of Node.js, debugpy and Delve. A flag counts only if it is meant for the runtime, that is, if it is before the
 * script's name or in NODE_OPTIONS, because the server itself may have an argument of the same name.
 */
export function hasInspector(config: ServerConfig): boolean {
  if (config.transport !== 'stdio') return false;
  const nodeOptions = config.env['NODE_OPTIONS']?.split(/\s+/) ?? [];
  return (
    nodeOptions.some((word) => FLAG.test(word)) ||
    commandsIn([config.command, ...config.args]).some(isInspecting)
  );
}

/** Checks only the first known program among the words, because the value of a wrapper's option may look like a program. */
function isInspecting(words: readonly string[]): boolean {
  const at = words.findIndex((word) =>
    [NODE_LIKE, PYTHON, DEBUGGER].some((name) => name.test(programName(word))),
  );
  const program = programName(words[at] ?? '');
  // If the command has no wrapper such as `npx`, only its first word can be the program.
  if (at > 0 && commandsIn(words).length === 1) return false;
  if (DEBUGGER.test(program)) return true;
  const options = optionsBeforeScript(words.slice(at + 1));
  if (NODE_LIKE.test(program)) return options.some((word) => FLAG.test(word));
  const module = options.indexOf('-m') + 1;
  return PYTHON.test(program) && module > 0 && DEBUGGER.test(options[module] ?? '');
}

/** Returns the options before the script. The word after `-m` counts as an option; `run` of Deno and Bun is skipped. */
function optionsBeforeScript(words: readonly string[]): readonly string[] {
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    if (word === '-m') return words.slice(0, index + 2);
    if (WITH_VALUE.test(word)) index += 1;
    else if (!word.startsWith('-') && !/^(run|watch)$/.test(word)) return words.slice(0, index);
  }
  return words;
}
