import type { PanelSettings } from '../../../../shared/panel-settings.ts';
import type { McpConnection } from '../../mcp/mcp-connection.ts';
import { deadlineOf, type OpenCall, type CallInFlight } from '../../mcp/open-call.ts';
import type { ListeningTime } from './listening-time.ts';
import type { OwnCheck } from './own-check.ts';
import { ALONE_MS, type ProbeBook } from './probe-book.ts';
import type { TreeLooks, Work, WorkDone } from './tree-looks.ts';
import type { LivenessFacts } from './verdict.ts';

/** Empty array, shared because most servers have no calls and each server is checked twice a second. */
const NONE: readonly never[] = [];

/** Times of received messages on a connection, and its unfinished calls. */
export type HeardConnection = Pick<McpConnection, 'ledger' | 'lastActivityAtMs' | 'lastAnswerAtMs'>;

/** All observations of one server at `nowMs`. Times are monotonic. */
export interface Observations {
  readonly nowMs: number;
  /** Time during which the panel itself was able to listen. Only that time counts as silence of the server. */
  readonly time: ListeningTime;
  readonly isWindowFresh: boolean;
  /** True if all messages arrive over one pipe, so that the server reads them in order. */
  readonly readsInOrder: boolean;
  readonly connection: HeardConnection;
  readonly settings: PanelSettings;
  readonly book: ProbeBook;
  readonly tree: TreeLooks;
  readonly check?: Pick<OwnCheck, 'failed' | 'excusesUntilMs'> | undefined;
}

/** Converts the observations to the facts on which the verdict table (docs/verdicts.md) is based. Has no side effects. */
export function gatherFacts(seen: Observations): LivenessFacts {
  const { nowMs, connection, book, tree, time } = seen;
  const { health } = seen.settings;
  const { lastActivityAtMs: activityAtMs, lastAnswerAtMs: answerAtMs } = connection;
  const since = (atMs: number | undefined) => (atMs === undefined ? undefined : time.since(atMs, nowMs));
  const unansweredAtMs = book.oldestUnanswered(activityAtMs)?.sentAtMs;
  const idleProbeAtMs = book.oldestInexcusable(activityAtMs)?.sentAtMs;
  const workSinceProbe = idleProbeAtMs === undefined ? 'none' : tree.workSince(idleProbeAtMs, nowMs);
  const begun = begunCalls(seen).length;
  return {
    thresholdMs: health.stallThresholdMs,
    probeIntervalMs: health.probeIntervalMs,
    workAllowanceMs: Math.max(health.workAllowanceMs, health.stallThresholdMs),
    idleAllowanceMs: idleAllowanceMs(seen, workSinceProbe),
    onSuspect: health.onSuspect,
    isWindowFresh: seen.isWindowFresh,
    failedCheck: seen.check?.failed,
    isHeld: nowMs - tree.heldAtMs < health.stallThresholdMs,
    stoppedForMs: since(tree.stoppedSinceMs),
    isPaused: tree.isPaused,
    silentForMs: silentForMs(seen),
    unansweredForMs: since(unansweredAtMs),
    idleProbeUnansweredForMs: since(idleProbeAtMs && inexcusableSince(seen, idleProbeAtMs)),
    hasAnsweredProbe: book.hasAnswered,
    workSinceProbe,
    workInSilence: tree.workSince(activityAtMs, nowMs),
    canBeProbed: book.canBeProbed && (book.isProven || silentForMs(seen) < 2 * health.stallThresholdMs),
    answerOwedForMs: since(book.owedSince(answerAtMs)),
    begunCalls: begun,
    queuedCalls: callsInTime(seen) - begun,
    ...overdueFacts(seen, unansweredAtMs),
    lostCalls: connection.ledger.lostCalls,
    answeredDuringCalls: hasAnsweredDuringCalls(seen),
  };
}

type OverdueFacts = Pick<
  LivenessFacts,
  | 'overdueCalls'
  | 'overdueForMs'
  | 'overdueUnansweredForMs'
  | 'overdueProbeUnansweredForMs'
  | 'isOverdueProbeProven'
  | 'workSinceDeadline'
>;

const NOTHING_OVERDUE: OverdueFacts = {
  overdueCalls: 0,
  overdueForMs: 0,
  overdueUnansweredForMs: 0,
  isOverdueProbeProven: false,
  workSinceDeadline: 'none',
};

function overdueFacts(seen: Observations, unansweredAtMs: number | undefined): OverdueFacts {
  const deadlines = overdueDeadlines(seen);
  if (deadlines.length === 0) return NOTHING_OVERDUE;
  const { nowMs, connection, book, tree, time } = seen;
  const deadlineMs = Math.max(...deadlines);
  const provenAtMs = book.provenUnansweredSince(connection.lastAnswerAtMs);
  const askedAtMs = overdueAskedAtMs(book, provenAtMs ?? unansweredAtMs, deadlineMs);
  return {
    overdueCalls: deadlines.length,
    overdueForMs: nowMs - deadlineMs,
    overdueUnansweredForMs: time.since(Math.max(deadlineMs, connection.lastAnswerAtMs), nowMs),
    overdueProbeUnansweredForMs: askedAtMs === undefined ? undefined : time.since(askedAtMs, nowMs),
    isOverdueProbeProven: provenAtMs !== undefined,
    workSinceDeadline: tree.workSince(deadlineMs, nowMs),
  };
}

/** Returns the ms of the server's silence in the current observation window, without times when the panel could not listen. */
export function silentForMs({ nowMs, connection, time }: Observations): number {
  return time.since(connection.lastActivityAtMs, nowMs);
}

function callsInTime({ nowMs, connection }: Observations): number {
  return connection.ledger.size === 0 ? 0 : connection.ledger.openAt(nowMs).length;
}

/**
 * Returns the deadlines of overdue calls: only of those that the server may have begun, if there are any. The other calls say
 * little, because clients that continue to call a hung server make more and more calls overdue.
 */
function overdueDeadlines(seen: Observations): readonly number[] {
  const { nowMs, connection, book } = seen;
  if (connection.ledger.size === 0) return NONE;
  const overdue = connection.ledger.overdueAt(nowMs);
  // A call that was cancelled before its deadline may rightly end without an answer. It counts as overdue only if the server is
  // known to answer probes, because a probe then shows whether the server hangs.
  const telling = book.isProven ? overdue : overdue.filter(({ wasCalledOff }) => !wasCalledOff);
  const begun = telling.filter(mayHaveBegun(seen));
  return (begun.length > 0 ? begun : telling).map(deadlineOf);
}

function begunCalls(seen: Observations): readonly OpenCall[] {
  if (seen.connection.ledger.size === 0) return NONE;
  return seen.connection.ledger.openAt(seen.nowMs).filter(mayHaveBegun(seen));
}

/**
 * Returns a function that tells whether the server may have begun a call. A server that reads in order has not begun a call if
 * it has not yet answered an earlier probe of a kind that it is known to answer (a proven kind): it is still busy with earlier
 * messages. A call sent within `ALONE_MS` of the probe still counts as begun, as in row 4 of the verdict table.
 */
function mayHaveBegun({ book, connection, readsInOrder }: Observations): (call: OpenCall) => boolean {
  const owedSinceMs = readsInOrder ? book.provenUnansweredSince(connection.lastAnswerAtMs) : undefined;
  return ({ startedAtMs }) => owedSinceMs === undefined || startedAtMs - owedSinceMs < ALONE_MS;
}

/** True if a probe that was sent after the start of all begun calls was answered. Then no begun call blocks the server. */
function hasAnsweredDuringCalls(seen: Observations): boolean {
  const { book } = seen;
  const calls = begunCalls(seen);
  const newestAtMs = Math.max(...calls.map(({ startedAtMs }) => startedAtMs));
  return calls.length > 0 && book.lastAnsweredSentAtMs > newestAtMs;
}

/**
 * Returns the time from which nothing excuses the server for not answering a probe that was sent while it was idle; undefined
 * while something does. A call sent within `ALONE_MS` after the probe may have been begun before the server read the probe.
 * Such a call is an excuse until its deadline, as in row 7 of the verdict table; later calls are not. The check that the user
 * has configured is an excuse like such a call.
 */
function inexcusableSince({ nowMs, connection, check }: Observations, sentAtMs: number): number | undefined {
  const beside = connection.ledger.calls.filter(
    ({ startedAtMs }) => startedAtMs >= sentAtMs && startedAtMs - sentAtMs < ALONE_MS,
  );
  const excusedUntilMs = Math.max(check?.excusesUntilMs ?? -Infinity, ...beside.map(deadlineOf));
  return nowMs < excusedUntilMs ? undefined : Math.max(sentAtMs, excusedUntilMs);
}

/**
 * Returns how long a probe may remain unanswered that was sent while the server was idle. A server that is working and has not
 * answered any probe in this run may still be loading, so it gets longer.
 */
function idleAllowanceMs({ settings, book }: Observations, work: Work): number {
  const { health, startMaxMs } = settings;
  const isLoading = work !== 'none' && !book.hasAnswered;
  return Math.max(health.workAllowanceMs, health.stallThresholdMs, isLoading ? startMaxMs : 0);
}

/**
 * Returns the time since which a server with overdue calls should have answered a probe; undefined if no probe is unanswered.
 * It is the sending of the probe or the deadline of the calls, whichever is later. If the server cannot be probed, it is the
 * deadline.
 */
function overdueAskedAtMs(
  book: ProbeBook,
  unansweredAtMs: number | undefined,
  deadlineMs: number,
): number | undefined {
  if (!book.canBeProbed) return deadlineMs;
  return unansweredAtMs === undefined ? undefined : Math.max(unansweredAtMs, deadlineMs);
}

/** Figures shown to the user with a verdict. */
export interface Evidence {
  readonly silentMs: number;
  readonly thresholdMs: number;
  /** Time since the last answer of any kind, or since the connection was opened. */
  readonly lastAnswerMs: number;
  readonly probes: readonly { readonly kind: string; readonly unansweredMs: number }[];
  readonly rttMs?: number | undefined;
  readonly calls: readonly CallInFlight[];
  /** True if the server answered a probe that was sent while all `calls` were in flight. */
  readonly answeredDuringCalls: boolean;
  /** Work of the tree since the oldest unanswered probe or the silence began; undefined without a sample since then. */
  readonly work?: WorkDone | undefined;
}

/** Collects the figures for a verdict. @param rttMs round trip of the last probe that was answered */
export function gatherEvidence(seen: Observations, rttMs: number | undefined): Evidence {
  const { nowMs, connection, book, tree, settings } = seen;
  const { ledger, lastActivityAtMs, lastAnswerAtMs } = connection;
  const askedAtMs = book.oldestUnanswered(lastActivityAtMs)?.sentAtMs;
  return {
    silentMs: Math.round(nowMs - lastActivityAtMs),
    thresholdMs: settings.health.stallThresholdMs,
    lastAnswerMs: Math.round(nowMs - lastAnswerAtMs),
    probes: book.unansweredAt(nowMs),
    rttMs: rttMs === undefined ? undefined : Math.round(rttMs),
    calls: ledger.inFlightAt(nowMs),
    answeredDuringCalls: hasAnsweredDuringCalls(seen),
    work: tree.doneSince(askedAtMs ?? lastActivityAtMs),
  };
}

/** For an idle server, the interval between probes is longer by this factor. */
const IDLE_FACTOR = 6;

/** True if a probe should be sent now. @param lastProbeAtMs time of the last probe; -Infinity if none was sent */
export function isProbeDue(seen: Observations, lastProbeAtMs: number): boolean {
  const { nowMs, time, connection, settings, book } = seen;
  const { probeIntervalMs } = settings.health;
  const isDoubtful = book.isAnyOutstanding || connection.ledger.size > 0;
  const dueMs = isDoubtful ? probeIntervalMs : probeIntervalMs * IDLE_FACTOR;
  const sinceMs = nowMs - Math.max(connection.lastActivityAtMs, lastProbeAtMs, time.windowStartMs);
  const isOverdueUnasked =
    !book.isAnyOutstanding && callsInTime(seen) === 0 && overdueDeadlines(seen).length > 0;
  return sinceMs >= dueMs || isOverdueUnasked || isAnswerMissed(seen, lastProbeAtMs);
}

/**
 * True if a probe is due because the server has not answered anything for too long. Messages other than answers do not count
 * here, because one part of a server may still send them while another part is dead. A server that is idle or has overdue calls
 * is therefore probed after that time, even if other messages arrive from it.
 */
function isAnswerMissed(seen: Observations, lastProbeAtMs: number): boolean {
  const { nowMs, time, connection, settings, book } = seen;
  const { lastAnswerAtMs } = connection;
  if (!book.isProven) return false;
  const isOverdue = overdueDeadlines(seen).length > 0;
  if (callsInTime(seen) > 0 && !isOverdue) return false;
  const isOwed = isOverdue || book.owedSince(lastAnswerAtMs) !== undefined;
  const dueMs = settings.health.probeIntervalMs * (isOwed ? 1 : IDLE_FACTOR);
  return nowMs - Math.max(lastAnswerAtMs, lastProbeAtMs, time.windowStartMs) >= dueMs;
}
