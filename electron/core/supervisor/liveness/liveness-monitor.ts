import type { PanelSettings } from '../../../../shared/panel-settings.ts';
import { delayInStep, type Clock, type Disposable, type RandomSource } from '../../clock.ts';
import type { ProtocolLogLevel } from '../../mcp/log-level.ts';
import type { ProbeKind } from '../../mcp/mcp-connection.ts';
import {
  gatherFacts,
  silentForMs,
  type HeardConnection,
  type Observations,
  gatherEvidence,
  type Evidence,
  isProbeDue,
} from './gather-facts.ts';
import { ListeningTime } from './listening-time.ts';
import type { OwnCheck } from './own-check.ts';
import { ProbeBook, type ProvenKinds, CallHold } from './probe-book.ts';
import { TreeLooks, type TreeLook } from './tree-looks.ts';
import { isDoubt, isOtherReason, judge, stoppedLimitMs, type Verdict } from './verdict.ts';

export interface ProbedConnection extends HeardConnection {
  /**
   * Sends a probe, a request that only tests whether the server answers. Resolves with the round trip in ms when any answer
   * arrives, even an error; rejects if the connection ends.
   */
  probe(kind: ProbeKind): Promise<number>;
  /** Log level of the server. Debug logs can be requested as signs of life, for a server that answers no kind of probe. */
  readonly logLevel: Pick<ProtocolLogLevel, 'want'>;
}

interface LivenessOptions {
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly connection: ProbedConnection;
  readonly learnt: ProvenKinds;
  readonly check?: Pick<OwnCheck, 'failed' | 'excusesUntilMs' | 'isDue' | 'run'> | undefined;
  readonly canLog: boolean;
  /** True if samples of the server's process tree arrive through `observed`. The work of a remote server cannot be observed. */
  readonly seesTree: boolean;
  /** True if a call is sent only after the answer to the probe before it (on a pipe); over a network, both are sent together. */
  readonly holdsCalls: boolean;
  readonly settings: () => PanelSettings;
  /** Called with each verdict that differs in kind or reason from the previous one; for a stall only once it is confirmed. */
  readonly onVerdict: (verdict: Verdict, evidence: Evidence) => void;
}

const SHORTEST_TICK_MS = 25;
const LONGEST_TICK_MS = 500;
/** A tick that is later than this (in ms) shows a blocked event loop or a sleep; less if the stall threshold is short. */
const LATE_MS = 1000;
/** After a sleep, the probes of all servers are spread over this many ms, so that they are not sent at the same time. */
const STAGGER_MS = 2000;

/** Watches one connection: probes it during silence, and reports a verdict such as "stalled". No method blocks on a reply. */
export class LivenessMonitor {
  readonly #options: LivenessOptions;
  readonly #book: ProbeBook;
  readonly #tree: TreeLooks;
  #timer: Disposable | undefined;
  #tickDueAtMs = 0;
  readonly #time: ListeningTime;
  #graceUntilMs = -Infinity;
  #verdict: Verdict = { kind: 'alive', row: 3 };
  /** Ends the request for debug logs of the server; undefined if none was made. */
  #endLogs: (() => void) | undefined;
  #lastProbeAtMs = -Infinity;
  /** True if a probe is due after a gap of the event loop, regardless of the schedule. */
  #isProbeOwed = false;
  readonly #hold: CallHold;
  /** Time since which the server is suspect or stalled; undefined if it is neither. */
  #doubtedAtMs: number | undefined;
  /** True if the last tick found a stall, which the next tick checks again. */
  #isConfirming = false;
  /** Round trip in ms of the last answered probe; undefined before the first answer. */
  #lastRttMs: number | undefined;

  constructor(options: LivenessOptions) {
    this.#options = options;
    this.#book = new ProbeBook(options.learnt);
    this.#hold = new CallHold(options.clock);
    this.#time = new ListeningTime(options.clock.now());
    this.#tree = new TreeLooks({ nowMs: options.clock.now(), seesTree: options.seesTree });
    if (options.settings().health.heartbeatLogs === true) this.#askForLogs();
    // Probes are sent even while the server works well, because only a kind of probe that this server is known to answer can
    // later prove a stall.
    this.#probe();
    this.#arm();
  }

  get verdict(): Verdict {
    return this.#verdict;
  }
  /** Monotonic time since which an answer to a probe is due (verdict "working" or "unknown"); undefined if none is due. */
  get answerOwedSinceMs(): number | undefined {
    const { lastAnswerAtMs, lastActivityAtMs } = this.#options.connection;
    const verdict = this.#verdict;
    if (verdict.kind === 'unknown' && verdict.row === 9) return this.#book.owedSince(lastAnswerAtMs);
    const isDeaf = verdict.kind === 'working' || (verdict.kind === 'unknown' && verdict.row === 4);
    return isDeaf ? this.#book.oldestInexcusable(lastActivityAtMs)?.sentAtMs : undefined;
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    this.#endLogs?.();
    this.#hold.dispose();
  }

  /**
   * Called before a call is sent to the server; the call is sent when the returned promise settles, or immediately if there is
   * none. If the server has been silent, it is probed first, while no unfinished call can excuse a missing answer. With
   * `holdsCalls`, the call waits for the answer to the probe, up to a limit, because a single-threaded server could otherwise
   * begin the call before it writes the answer. Without `holdsCalls`, the call is sent first, and a missing answer to the probe
   * is excused for as long as the call may take.
   */
  beforeCall(): Promise<void> | undefined {
    const longMs = Math.min(LATE_MS, this.#health.probeIntervalMs);
    const isAsked = silentForMs(this.#seen) >= longMs && !this.#book.isAnyOutstanding;
    if (!this.#options.holdsCalls) {
      if (isAsked) this.#probe(Promise.resolve());
      return undefined;
    }
    if (isAsked) this.#probe();
    return this.#hold.current;
  }

  /**
   * Receives a sample of the process tree. If the sample shows for the first time that a signal has stopped the server's
   * process, the server is probed immediately.
   */
  observed(look: TreeLook): void {
    const isToBeAsked = this.#tree.looked(look, this.#now, this.#options.connection.lastAnswerAtMs);
    // While a debugger holds the server, its silence proves nothing, so durations are measured from now on.
    if (look.isHeld === true) this.#time.openWindow(this.#now);
    if (isToBeAsked && !this.#book.isAnyOutstanding) this.#probe();
  }

  /** Begins a new observation window after the machine was asleep. */
  resumed(): void {
    this.#time.slept(this.#now);
    this.#beginAnew(true);
  }

  evidence(): Evidence {
    return gatherEvidence(this.#seen, this.#lastRttMs);
  }

  get #now(): number {
    return this.#options.clock.now();
  }
  get #health(): PanelSettings['health'] {
    return this.#options.settings().health;
  }

  #arm(): void {
    const { probeIntervalMs, stallThresholdMs } = this.#health;
    const usualMs = clamp(Math.min(probeIntervalMs, stallThresholdMs) / 4, SHORTEST_TICK_MS, LONGEST_TICK_MS);
    const stepMs = delayInStep(this.#now, usualMs);
    // If a signal has stopped the server's process, the next tick comes exactly when the verdict on it is due, not at the next
    // regular time.
    const leftMs =
      stoppedLimitMs(stallThresholdMs) - this.#time.since(this.#tree.stoppedSinceMs ?? Infinity, this.#now);
    const tickMs = this.#isConfirming ? SHORTEST_TICK_MS : leftMs > 0 ? Math.min(stepMs, leftMs) : stepMs;
    this.#tickDueAtMs = this.#now + tickMs;
    this.#timer = this.#options.clock.setTimeout(() => this.#tick(), tickMs);
  }

  #tick(): void {
    this.#noteAbsence();
    const { lastActivityAtMs: activityAtMs, lastAnswerAtMs: answerAtMs } = this.#options.connection;
    this.#book.settle({ activityAtMs, answerAtMs }, this.#now, this.#health.probeIntervalMs);
    this.#probeIfDue();
    this.#checkIfDue();
    if (!this.#book.canBeProbed && this.#health.heartbeatLogs === 'auto') this.#askForLogs();
    this.#report(judge(gatherFacts(this.#seen)));
    // If the verdict was a stall, `onVerdict` may have disposed of this monitor, and the timer is then undefined.
    if (this.#timer) this.#arm();
  }

  #noteAbsence(): void {
    const { stallThresholdMs, workAllowanceMs } = this.#health;
    const lateMs = this.#now - this.#tickDueAtMs;
    if (lateMs <= Math.min(LATE_MS, stallThresholdMs / 4)) return;
    // The length of an observation window must cover the longest duration in the verdict table. Otherwise the row with that
    // duration could never apply if windows followed each other quickly.
    const windowMs = Math.max(2 * stallThresholdMs, workAllowanceMs);
    if (!this.#time.wasAbsent({ absentMs: lateMs, lateMs }, this.#now, windowMs)) return;
    const { ledger, lastActivityAtMs } = this.#options.connection;
    const owesAnswer = ledger.size > 0 || this.#book.oldestUnanswered(lastActivityAtMs) !== undefined;
    // A probe outside the schedule is sent only if an answer is missing or the delay was long. Ticks are often late on a busy
    // machine, and such a probe may reach a server that is waiting outside a call.
    this.#beginAnew(owesAnswer || lateMs >= stallThresholdMs);
  }

  /**
   * Starts the observation anew after a gap (a blocked event loop or a sleep). For a short random time, no probes are sent. If
   * `isAskedAnew`, a probe is sent after that time.
   */
  #beginAnew(isAskedAnew: boolean): void {
    const staggerMs = this.#options.random() * Math.min(STAGGER_MS, this.#health.probeIntervalMs);
    this.#tree.forgetStopped();
    this.#isProbeOwed ||= isAskedAnew;
    this.#isConfirming = false;
    this.#graceUntilMs = this.#now + Math.min(staggerMs + SHORTEST_TICK_MS, this.#health.stallThresholdMs);
  }

  #probeIfDue(): void {
    if (this.#isWindowFresh) return;
    if (this.#isProbeOwed || isProbeDue(this.#seen, this.#lastProbeAtMs)) this.#probe();
    this.#isProbeOwed = false;
  }

  /**
   * Runs the check that the user has configured, if it is due. If the server has been silent, a probe is sent first, because a
   * running check would excuse the silence like a call.
   */
  #checkIfDue(): void {
    const { check, connection } = this.#options;
    if (check?.isDue !== true || connection.ledger.size > 0 || this.#isWindowFresh) return;
    if (!this.#book.isProven) check.run();
    else if (this.#book.isAnyOutstanding) return;
    else if (silentForMs(this.#seen) >= LATE_MS) this.#probe();
    else check.run();
  }

  /** Sends a probe. @param behind if given, the probe is sent when this promise resolves, but counts as sent now */
  #probe(behind?: Promise<void>): void {
    const kind = this.#book.nextKind();
    if (kind === undefined) return;
    const wasIdle = this.#options.connection.ledger.size === 0;
    const sentAtMs = (this.#lastProbeAtMs = this.#now);
    this.#book.sent(kind, { sentAtMs, wasIdle });
    const { connection, holdsCalls } = this.#options;
    const answered = behind ? behind.then(() => connection.probe(kind)) : connection.probe(kind);
    if (wasIdle && holdsCalls) this.#hold.until(answered);
    answered.then(
      (rttMs) => this.#answered(kind, sentAtMs, rttMs),
      () => undefined,
    );
  }

  #answered(kind: ProbeKind, sentAtMs: number, rttMs: number): void {
    this.#book.answered(kind);
    this.#lastRttMs = rttMs;
    this.#tree.answered(sentAtMs);
  }

  #report(verdict: Verdict): void {
    if (verdict.kind === 'waiting' || verdict.kind === 'none') return;
    const wasConfirming = this.#isConfirming;
    this.#isConfirming = verdict.kind === 'stalled' && this.#verdict.kind !== 'stalled' && !wasConfirming;
    // In each event-loop tick, timers run before input is read, so an answer may already be in the pipe. The stall is reported
    // only if the next tick, after the input was read, finds it too.
    if (this.#isConfirming) return;
    if (!isDoubt(verdict) && this.#isStillDoubted(verdict)) return;
    this.#doubtedAtMs = isDoubt(verdict) ? (this.#doubtedAtMs ?? this.#now) : undefined;
    const isNews = verdict.kind !== this.#verdict.kind || isOtherReason(verdict, this.#verdict);
    this.#verdict = verdict;
    if (isNews) this.#options.onVerdict(verdict, this.evidence());
  }

  /**
   * True if a server that is suspect or stalled remains so, although the new verdict is better. Only a message is a sign of
   * life; a verdict that became better only because a new observation window began is not. If the server is merely suspect, its
   * work is a reason to wait too.
   */
  #isStillDoubted(verdict: Verdict): boolean {
    if (this.#doubtedAtMs === undefined) return false;
    const isExcused = verdict.kind === 'working' || (verdict.kind === 'overdue' && verdict.row === '7b');
    const isHeard = this.#options.connection.lastActivityAtMs > this.#doubtedAtMs;
    return !isHeard && !(isExcused && this.#verdict.kind === 'suspect');
  }

  #askForLogs(): void {
    if (this.#options.canLog) this.#endLogs ??= this.#options.connection.logLevel.want('debug');
  }

  get #isWindowFresh(): boolean {
    return this.#now < this.#graceUntilMs;
  }

  /** Current observations. They must be read again after a message was sent or received. */
  get #seen(): Observations {
    return {
      nowMs: this.#now,
      time: this.#time,
      isWindowFresh: this.#isWindowFresh,
      readsInOrder: this.#options.holdsCalls,
      connection: this.#options.connection,
      settings: this.#options.settings(),
      book: this.#book,
      tree: this.#tree,
      check: this.#options.check,
    };
  }
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}
