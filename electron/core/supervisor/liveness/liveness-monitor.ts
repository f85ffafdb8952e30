import type { PanelSettings } from '../../../../shared/panel-settings.ts';
import { delayInStep, type Clock, type Disposable, type RandomSource } from '../../clock.ts';
import type { CallInFlight } from '../../mcp/call-ledger.ts';
import type { ProtocolLogLevel } from '../../mcp/log-level.ts';
import type { ProbeKind } from '../../mcp/mcp-connection.ts';
import { CallHold } from './call-hold.ts';
import {
  gatherFacts,
  hasAnsweredDuringCalls,
  silentForMs,
  type HeardConnection,
  type Observations,
} from './gather-facts.ts';
import { ListeningTime } from './listening-time.ts';
import { ProbeBook, type ObservedAnswers } from './probe-book.ts';
import { isProbeDue } from './probe-schedule.ts';
import { TreeLooks, type TreeLook } from './tree-looks.ts';
import type { WorkDone } from './tree-work.ts';
import { isDoubt, isOtherOverdue, judge, type Verdict } from './verdict.ts';

/** The part of a connection that liveness looks at. */
export interface ProbedConnection extends HeardConnection {
  /** Resolves with the round trip of any answer, an error too; rejects when the connection ended. */
  probe(kind: ProbeKind): Promise<number>;
  /** Where no probe works, its log messages are activity. */
  readonly logLevel: Pick<ProtocolLogLevel, 'want'>;
}

export interface LivenessOptions {
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly connection: ProbedConnection;
  readonly learnt: ObservedAnswers;
  readonly canLog: boolean;
  /** Looks at its process tree come by `observed`. Of a remote server nobody sees what it does. */
  readonly seesTree: boolean;
  /** A call waits for the question before it, which takes no time over a pipe; over a network they leave together. */
  readonly holdsCalls: boolean;
  readonly settings: () => PanelSettings;
  /** Every verdict that differs from the one before, and every confirmed stall once. */
  readonly onVerdict: (verdict: Verdict, evidence: Evidence) => void;
}

/** What a person is shown beside a verdict. */
export interface Evidence {
  readonly silentMs: number;
  readonly thresholdMs: number;
  /** Since the last answer to anything, or since the connection was opened. */
  readonly lastAnswerMs: number;
  readonly probes: readonly { readonly kind: string; readonly unansweredMs: number }[];
  /** Round trip of the last probe that was answered. */
  readonly rttMs?: number | undefined;
  readonly calls: readonly CallInFlight[];
  /** The server has answered a probe that was sent while all these calls were under way. */
  readonly answeredDuringCalls: boolean;
  /** What its tree has done since the oldest unanswered probe, or since it fell silent; absent where nobody has looked since. */
  readonly work?: WorkDone | undefined;
}

const SHORTEST_TICK_MS = 25;
const LONGEST_TICK_MS = 500;
/** A tick later than this (less where the threshold is short) means that our own loop was blocked, or the machine asleep. */
const LATE_MS = 1000;
/** Servers are asked within this time after a sleep, because all at once would be a flood. */
const STAGGER_MS = 2000;

/**
 * Watches one connection from the moment it is ready: probes when it is silent, gathers the facts, and reports what
 * the verdict table makes of them. It never waits for an answer. The owner disposes it with the connection.
 */
export class LivenessMonitor {
  readonly #options: LivenessOptions;
  readonly #book: ProbeBook;
  readonly #tree: TreeLooks;
  #timer: Disposable | undefined;
  #tickDueAtMs = 0;
  readonly #time: ListeningTime;
  #graceUntilMs = -Infinity;
  #verdict: Verdict = { kind: 'alive', row: 3 };
  /** Ends the wish for debug logs, once there is one. */
  #endLogs: (() => void) | undefined;
  #lastProbeAtMs = -Infinity;
  /** It is asked once after an absence of ours, whatever the schedule. */
  #isProbeOwed = false;
  readonly #hold: CallHold;
  /** Since when the server is suspect or stalled; undefined when it is not. */
  #doubtedAtMs: number | undefined;
  /** A stall was seen in the last tick and is looked at once more. */
  #isConfirming = false;
  /** Round trip of the last probe that was answered; undefined before the first. */
  #lastRttMs: number | undefined;

  constructor(options: LivenessOptions) {
    this.#options = options;
    this.#book = new ProbeBook(options.learnt);
    this.#hold = new CallHold(options.clock);
    this.#time = new ListeningTime(options.clock.now());
    this.#tree = new TreeLooks({ nowMs: options.clock.now(), seesTree: options.seesTree });
    if (options.settings().health.heartbeatLogs === true) this.#askForLogs();
    // Probes are sent while all is well, because only a question that this server is known to answer can convict it later.
    this.#probe();
    this.#arm();
  }

  get verdict(): Verdict {
    return this.#verdict;
  }
  /** Since when a server that is working, or of which nothing is known, owes the answer to a probe; monotonic. */
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
   * A call is about to be sent; resolve it first. After a silence the server is asked, while nothing is unfinished that
   * could excuse it. Where calls are held, this one waits for the answer, bounded, because sent in the same breath it could
   * block a single-threaded server before the answer is written. Where they are not, the call leaves first and excuses
   * the question for as long as the call itself may take.
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

  /** A look at the process table has come. A server that has just been stopped is asked at once. */
  observed(look: TreeLook): void {
    const isToBeAsked = this.#tree.looked(look, this.#now, this.#options.connection.lastAnswerAtMs);
    // What a server did not do while somebody held it says nothing.
    if (look.isHeld === true) this.#time.openWindow(this.#now);
    if (isToBeAsked && !this.#book.isAnyOutstanding) this.#probe();
  }

  /** The machine was asleep. */
  resumed(): void {
    this.#time.slept(this.#now);
    this.#beginAnew(true);
  }

  evidence(): Evidence {
    const now = this.#now;
    const { ledger, lastActivityAtMs, lastAnswerAtMs } = this.#options.connection;
    const askedAtMs = this.#book.oldestUnanswered(lastActivityAtMs)?.sentAtMs;
    return {
      silentMs: Math.round(now - lastActivityAtMs),
      thresholdMs: this.#health.stallThresholdMs,
      lastAnswerMs: Math.round(now - lastAnswerAtMs),
      probes: this.#book.unansweredAt(now),
      rttMs: this.#lastRttMs === undefined ? undefined : Math.round(this.#lastRttMs),
      calls: ledger.inFlightAt(now),
      answeredDuringCalls: hasAnsweredDuringCalls(this.#seen),
      work: this.#tree.doneSince(askedAtMs ?? lastActivityAtMs),
    };
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
    const tickMs = this.#isConfirming ? SHORTEST_TICK_MS : delayInStep(this.#now, usualMs);
    this.#tickDueAtMs = this.#now + tickMs;
    this.#timer = this.#options.clock.setTimeout(() => this.#tick(), tickMs);
  }

  #tick(): void {
    this.#noteAbsence();
    const { lastActivityAtMs: activityAtMs, lastAnswerAtMs: answerAtMs } = this.#options.connection;
    this.#book.settle({ activityAtMs, answerAtMs }, this.#now, this.#health.probeIntervalMs);
    this.#probeIfDue();
    if (!this.#book.canBeProbed && this.#health.heartbeatLogs === 'auto') this.#askForLogs();
    this.#report(judge(gatherFacts(this.#seen)));
    // The report may have been a stall, and the owner may have disposed us for it.
    if (this.#timer) this.#arm();
  }

  #noteAbsence(): void {
    const { stallThresholdMs, workAllowanceMs } = this.#health;
    const lateMs = this.#now - this.#tickDueAtMs;
    if (lateMs <= Math.min(LATE_MS, stallThresholdMs / 4)) return;
    // The longest row needs a window of its own length, or endless shorter ones would keep it from a verdict.
    const windowMs = Math.max(2 * stallThresholdMs, workAllowanceMs);
    if (!this.#time.wasAbsent({ absentMs: lateMs, lateMs }, this.#now, windowMs)) return;
    const { ledger, lastActivityAtMs } = this.#options.connection;
    const owesAnswer = ledger.size > 0 || this.#book.oldestUnanswered(lastActivityAtMs) !== undefined;
    // On a busy machine we are late often, and a question out of turn may meet a server that waits outside of a call.
    this.#beginAnew(owesAnswer || lateMs >= stallThresholdMs);
  }

  /** What was not heard while we did not listen is no silence. */
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

  /** @param behind what leaves before the question does; it counts as asked now */
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
    // Timers run before input is read: an answer may lie in the pipe. One more turn of the loop reads it first.
    if (this.#isConfirming) return;
    if (!isDoubt(verdict) && this.#isStillDoubted(verdict)) return;
    this.#doubtedAtMs = isDoubt(verdict) ? (this.#doubtedAtMs ?? this.#now) : undefined;
    const isNews = verdict.kind !== this.#verdict.kind || isOtherOverdue(verdict, this.#verdict);
    this.#verdict = verdict;
    if (isNews) this.#options.onVerdict(verdict, this.evidence());
  }

  /**
   * Everything is measured anew after an absence of ours; that is no sign of life from a server that was in doubt. Work of one
   * that is only suspect is a reason to wait.
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

  /** What is known now; to be asked for anew after anything was sent or heard. */
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
    };
  }
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}
