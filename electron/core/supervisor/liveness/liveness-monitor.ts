import type { PanelSettings } from '../../../../shared/panel-settings.ts';
import type { Clock, Disposable, RandomSource } from '../../clock.ts';
import { createDeferred } from '../../deferred.ts';
import { settlesWithin } from '../../wait.ts';
import { deadlineOf, type CallInFlight, type CallLedger } from '../connection/call-ledger.ts';
import type { ProbeKind } from '../connection/mcp-connection.ts';
import { ProbeBook, type LearntAnswers } from './probe-book.ts';
import { judge, type LivenessFacts, type Verdict } from './verdict.ts';

/** The part of a connection that liveness looks at. */
export interface ProbedConnection {
  readonly ledger: CallLedger;
  readonly lastActivityAtMs: number;
  /** Of the last answer to a call or a probe; before the first, when the connection was opened. */
  readonly lastAnswerAtMs: number;
  /** Resolves with any answer, an error too; rejects when the connection ended. */
  probe(kind: ProbeKind): Promise<void>;
  /** Asks the server for debug logs, which may hold heartbeats of its own. */
  requestDebugLogs(): Promise<void>;
}

export interface LivenessOptions {
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly connection: ProbedConnection;
  readonly learnt: LearntAnswers;
  readonly canLog: boolean;
  readonly settings: () => PanelSettings;
  /** Every verdict that differs from the one before, and every confirmed stall once. */
  readonly onVerdict: (verdict: Verdict, evidence: Evidence) => void;
  /** A probe was answered, so long after it was sent. */
  readonly onProbeAnswered?: (rttMs: number) => void;
}

/** What a person is shown beside a verdict. */
export interface Evidence {
  readonly silentMs: number;
  readonly thresholdMs: number;
  readonly probes: readonly { readonly kind: string; readonly unansweredMs: number }[];
  /** Round trip of the last probe that was answered. */
  readonly rttMs?: number | undefined;
  readonly calls: readonly CallInFlight[];
  readonly answersWhileBusy: boolean;
}

/** Idle servers are asked less often. */
const IDLE_FACTOR = 6;
const SHORTEST_TICK_MS = 25;
const LONGEST_TICK_MS = 500;
/** A tick later than this (less where the threshold is short) means that our own loop was blocked, or the machine asleep. */
const LATE_MS = 1000;
/** After a sleep all servers would be asked at once; they are asked within this time instead. */
const STAGGER_MS = 2000;
/** A healthy idle server answers within this; a question that was alone for so long needs no excuse by a later call. */
const ALONE_MS = 1000;

/**
 * Watches one connection from the moment it is ready: probes when it is silent, gathers the facts, and reports what
 * the verdict table makes of them. It never waits for an answer. The owner disposes it with the connection.
 */
export class LivenessMonitor {
  readonly #options: LivenessOptions;
  readonly #book: ProbeBook;
  #timer: Disposable | undefined;
  #tickDueAtMs = 0;
  /** Nothing before this counts. Moves on when we ourselves were absent. */
  #windowStartMs: number;
  #graceUntilMs = -Infinity;
  #isTraced = false;
  #stoppedSinceMs: number | undefined;
  #verdict: Verdict = { kind: 'alive', row: 3 };
  #hasAskedForLogs = false;
  #lastProbeAtMs = -Infinity;
  /** After an absence of ours every server is asked once, whatever the schedule. */
  #isProbeOwed = false;
  readonly #disposed = createDeferred<void>();
  #alone: Promise<void> | undefined;
  /** Since when the server is suspect or stalled; undefined when it is not. */
  #doubtedAtMs: number | undefined;
  /** A stall was seen in the last tick and is looked at once more. */
  #isConfirming = false;
  #lastRttMs: number | undefined;

  constructor(options: LivenessOptions) {
    this.#options = options;
    this.#book = new ProbeBook(options.learnt);
    this.#windowStartMs = options.clock.now();
    if (options.settings().health.heartbeatLogs === true) this.#askForLogs();
    // Asked while all is well: only a question this server is known to answer can convict it later.
    this.#probe();
    this.#arm();
  }

  get verdict(): Verdict {
    return this.#verdict;
  }
  /** Since when a server that sends messages owes an answer, where that puts its health in doubt; monotonic. */
  get answerOwedSinceMs(): number | undefined {
    const isInDoubt = this.#verdict.kind === 'unknown' && this.#verdict.row === 9;
    return isInDoubt ? this.#book.owedSince(this.#options.connection.lastAnswerAtMs) : undefined;
  }
  /** Round trip of the last probe that was answered, in milliseconds; undefined before the first. */
  get lastRttMs(): number | undefined {
    return this.#lastRttMs;
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    this.#disposed.resolve();
  }

  /**
   * A call is about to be sent; resolve it first. After a silence the server is asked, while nothing is unfinished that
   * could excuse it. The call waits for the answer, bounded: sent in the same breath, it could block a single-threaded
   * server before the answer is written, and a healthy server would seem deaf.
   */
  beforeCall(): Promise<void> | undefined {
    const longMs = Math.min(LATE_MS, this.#health.probeIntervalMs);
    if (this.#silentForMs() >= longMs && !this.#book.isAnyOutstanding) this.#probe();
    return this.#alone;
  }

  /** A heartbeat (a log notification) came. */
  heartbeat(): void {
    if (this.#openCalls() > 0) this.#book.learnt.answersWhileBusy = true;
  }

  /** What a look at the process table showed. `isStopped`: all that hold our pipes are stopped by a signal. */
  observed({ isStopped, isTraced }: { isStopped: boolean; isTraced: boolean }): void {
    this.#isTraced = isTraced;
    if (!isStopped) this.#stoppedSinceMs = undefined;
    else if (this.#stoppedSinceMs === undefined) {
      this.#stoppedSinceMs = this.#now;
      if (!this.#book.isAnyOutstanding) this.#probe();
    }
  }

  /** The machine was asleep. */
  resumed(): void {
    this.#openWindow();
  }

  evidence(): Evidence {
    const now = this.#now;
    const { ledger } = this.#options.connection;
    return {
      silentMs: Math.round(now - this.#options.connection.lastActivityAtMs),
      thresholdMs: this.#health.stallThresholdMs,
      probes: this.#book.unansweredAt(now),
      rttMs: this.#lastRttMs === undefined ? undefined : Math.round(this.#lastRttMs),
      calls: ledger.inFlightAt(now),
      answersWhileBusy: this.#book.learnt.answersWhileBusy,
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
    const tickMs = this.#isConfirming ? SHORTEST_TICK_MS : usualMs;
    this.#tickDueAtMs = this.#now + tickMs;
    this.#timer = this.#options.clock.setTimeout(() => this.#tick(), tickMs);
  }

  #tick(): void {
    const lateMs = Math.min(LATE_MS, this.#health.stallThresholdMs / 4);
    if (this.#now - this.#tickDueAtMs > lateMs) this.#openWindow();
    const { lastActivityAtMs: activityAtMs, lastAnswerAtMs: answerAtMs } = this.#options.connection;
    this.#book.settle({ activityAtMs, answerAtMs }, this.#now, this.#health.probeIntervalMs);
    this.#probeIfDue();
    if (!this.#book.canBeProbed && this.#health.heartbeatLogs === 'auto') this.#askForLogs();
    this.#report(judge(this.#facts()));
    // The report may have been a stall, and the owner may have disposed us for it.
    if (this.#timer) this.#arm();
  }

  /** What was not heard while we did not listen is no silence: everything is measured anew from here. */
  #openWindow(): void {
    const staggerMs = this.#options.random() * Math.min(STAGGER_MS, this.#health.probeIntervalMs);
    this.#windowStartMs = this.#now;
    this.#stoppedSinceMs = undefined;
    this.#isProbeOwed = true;
    this.#isConfirming = false;
    this.#graceUntilMs = this.#now + Math.min(staggerMs + SHORTEST_TICK_MS, this.#health.stallThresholdMs);
  }

  #probeIfDue(): void {
    if (this.#isWindowFresh) return;
    const { probeIntervalMs } = this.#health;
    const isWaiting = this.#book.isAnyOutstanding;
    const isDoubtful = isWaiting || this.#options.connection.ledger.calls.length > 0;
    const dueMs = isDoubtful ? probeIntervalMs : probeIntervalMs * IDLE_FACTOR;
    const sinceMs =
      this.#now -
      Math.max(this.#options.connection.lastActivityAtMs, this.#lastProbeAtMs, this.#windowStartMs);
    if (sinceMs >= dueMs || this.#isProbeOwed || this.#isOverdueUnasked() || this.#isAnswerMissed())
      this.#probe();
    this.#isProbeOwed = false;
  }

  /**
   * Messages are no answers: a part that lives on may send them beside a dead one. So a server with nothing else to do
   * is asked, once an answer has not been heard for as long as silence may last.
   */
  #isAnswerMissed(): boolean {
    const { ledger, lastAnswerAtMs } = this.#options.connection;
    if (!this.#book.isProven || ledger.calls.length > 0) return false;
    const isOwed = this.#book.owedSince(lastAnswerAtMs) !== undefined;
    const dueMs = this.#health.probeIntervalMs * (isOwed ? 1 : IDLE_FACTOR);
    return this.#now - Math.max(lastAnswerAtMs, this.#lastProbeAtMs, this.#windowStartMs) >= dueMs;
  }

  #probe(): void {
    const kind = this.#book.nextKind();
    if (kind === undefined) return;
    const callIds = this.#options.connection.ledger.calls.map((call) => call.id);
    const sentAtMs = (this.#lastProbeAtMs = this.#now);
    this.#book.sent(kind, { sentAtMs, wasIdle: callIds.length === 0, callIds });
    const answered = this.#options.connection.probe(kind);
    if (callIds.length === 0) this.#leaveAlone(answered);
    answered.then(
      () => this.#answered(kind, this.#now - sentAtMs),
      () => undefined,
    );
  }

  #answered(kind: ProbeKind, rttMs: number): void {
    this.#book.answered(kind, (id) => this.#options.connection.ledger.isOpen(id));
    this.#lastRttMs = rttMs;
    // A late answer to the probe of a run that is over is nobody's figure any more.
    if (this.#timer) this.#options.onProbeAnswered?.(rttMs);
  }

  /** Calls hold back until the question is answered, or has had its moment. */
  #leaveAlone(answered: Promise<void>): void {
    const alone = settlesWithin(
      this.#options.clock,
      Promise.race([answered, this.#disposed.promise]),
      ALONE_MS,
    ).then(() => {
      if (this.#alone === alone) this.#alone = undefined;
    });
    this.#alone = alone;
  }

  #facts(): LivenessFacts {
    const now = this.#now;
    const { connection } = this.#options;
    const { stallThresholdMs, probeIntervalMs } = this.#health;
    const activityAtMs = connection.lastActivityAtMs;
    const since = (atMs: number | undefined) =>
      atMs === undefined ? undefined : now - Math.max(atMs, this.#windowStartMs);
    const overdue = this.#overdue();
    const unansweredAtMs = this.#book.oldestUnanswered(activityAtMs, () => true);
    return {
      thresholdMs: stallThresholdMs,
      probeIntervalMs,
      isWindowFresh: this.#isWindowFresh,
      isTraced: this.#isTraced,
      stoppedForMs: since(this.#stoppedSinceMs),
      silentForMs: this.#silentForMs(),
      unansweredForMs: since(unansweredAtMs),
      idleProbeUnansweredForMs: since(
        this.#book.oldestUnanswered(activityAtMs, (probe, isProven) => probe.wasIdle && isProven),
      ),
      isEveryProbeKindUnanswered: this.#book.isEveryKindUnanswered(activityAtMs),
      canBeProbed:
        this.#book.canBeProbed && (this.#book.isProven || this.#silentForMs() < 2 * stallThresholdMs),
      answerOwedForMs: since(this.#book.owedSince(connection.lastAnswerAtMs)),
      openCalls: this.#openCalls(),
      overdueCalls: overdue.length,
      overdueForMs: now - Math.max(...overdue),
      overdueProbeUnansweredForMs: since(this.#overdueAskedAtMs(unansweredAtMs, Math.max(...overdue))),
      answersWhileBusy: this.#book.learnt.answersWhileBusy,
    };
  }

  #report(verdict: Verdict): void {
    if (verdict.kind === 'waiting' || verdict.kind === 'none') return;
    const wasConfirming = this.#isConfirming;
    this.#isConfirming = verdict.kind === 'stalled' && this.#verdict.kind !== 'stalled' && !wasConfirming;
    // Timers run before input is read: an answer may lie in the pipe. One more turn of the loop reads it first.
    if (this.#isConfirming) return;
    // After an absence of ours everything is measured anew; that is no sign of life from a server that was in doubt.
    if (
      this.#doubtedAtMs !== undefined &&
      !isDoubt(verdict) &&
      this.#options.connection.lastActivityAtMs <= this.#doubtedAtMs
    )
      return;
    this.#doubtedAtMs = isDoubt(verdict) ? (this.#doubtedAtMs ?? this.#now) : undefined;
    const isNews = verdict.kind !== this.#verdict.kind;
    this.#verdict = verdict;
    if (isNews) this.#options.onVerdict(verdict, this.evidence());
  }

  #askForLogs(): void {
    if (this.#hasAskedForLogs || !this.#options.canLog) return;
    this.#hasAskedForLogs = true;
    void this.#options.connection.requestDebugLogs();
  }

  get #isWindowFresh(): boolean {
    return this.#now < this.#graceUntilMs;
  }

  #silentForMs(): number {
    return this.#now - Math.max(this.#options.connection.lastActivityAtMs, this.#windowStartMs);
  }

  #openCalls(): number {
    return this.#options.connection.ledger.openAt(this.#now).length;
  }

  /** The deadlines, all passed, of overdue calls. */
  #overdue(): number[] {
    return this.#options.connection.ledger.overdueAt(this.#now).map(deadlineOf);
  }

  /** Every deadline has passed, and no question is open. */
  #isOverdueUnasked(): boolean {
    return this.#overdue().length > 0 && this.#openCalls() === 0 && !this.#book.isAnyOutstanding;
  }

  /** Since when an overdue server owes us an answer: a question of before its deadline counts from the deadline on. */
  #overdueAskedAtMs(unansweredAtMs: number | undefined, deadlineMs: number): number | undefined {
    if (!this.#book.canBeProbed) return deadlineMs;
    return unansweredAtMs === undefined ? undefined : Math.max(unansweredAtMs, deadlineMs);
  }
}

function isDoubt({ kind }: Verdict): boolean {
  return kind === 'suspect' || kind === 'stalled';
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}
