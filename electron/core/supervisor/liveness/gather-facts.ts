import type { PanelSettings } from '../../../../shared/panel-settings.ts';
import { deadlineOf, type CallLedger, type OpenCall } from '../connection/call-ledger.ts';
import type { Heartbeats } from './heartbeats.ts';
import type { ProbeBook } from './probe-book.ts';
import type { TreeLooks } from './tree-looks.ts';
import type { LivenessFacts } from './verdict.ts';

/** A healthy idle server answers within this; a question that was alone for so long needs no excuse by a later call. */
export const ALONE_MS = 1000;

/** Most servers have no calls, and every one is looked at twice a second. */
const NONE: readonly never[] = [];

/** What was heard on a connection, and what is unfinished on it. Times are monotonic. */
export interface HeardConnection {
  readonly ledger: CallLedger;
  readonly lastActivityAtMs: number;
  /** Time of the last answer to a call or a probe; before the first, that at which the connection was opened. */
  readonly lastAnswerAtMs: number;
}

/** Everything that is known of one server at the instant `nowMs`. Times are monotonic. */
export interface Observations {
  readonly nowMs: number;
  /** Nothing before this counts, because we ourselves may not have listened. */
  readonly windowStartMs: number;
  readonly isWindowFresh: boolean;
  /** It is told everything over one pipe, and comes to a message only after those before it. */
  readonly readsInOrder: boolean;
  readonly connection: HeardConnection;
  readonly settings: PanelSettings;
  readonly book: ProbeBook;
  readonly tree: TreeLooks;
  readonly heartbeats: Heartbeats;
}

/** Makes of the observations what the verdict table reads. Changes nothing. */
export function gatherFacts(seen: Observations): LivenessFacts {
  const { nowMs, connection, book, tree, heartbeats } = seen;
  const { stallThresholdMs, probeIntervalMs, onSuspect } = seen.settings.health;
  const { lastActivityAtMs: activityAtMs, lastAnswerAtMs: answerAtMs } = connection;
  const since = (atMs: number | undefined) =>
    atMs === undefined ? undefined : nowMs - Math.max(atMs, seen.windowStartMs);
  const overdue = overdueDeadlines(seen);
  const begun = begunCalls(seen).length;
  const deadlineMs = Math.max(...overdue);
  const unansweredAtMs = book.oldestUnanswered(activityAtMs)?.sentAtMs;
  const provenAtMs = book.provenUnansweredSince(answerAtMs);
  const idleProbe = book.oldestInexcusable(activityAtMs);
  const isComputingSinceProbe = idleProbe !== undefined && tree.isComputingSince(idleProbe.work);
  return {
    thresholdMs: stallThresholdMs,
    probeIntervalMs,
    workAllowanceMs: workAllowanceMs(seen, isComputingSinceProbe),
    onSuspect,
    isWindowFresh: seen.isWindowFresh,
    isTraced: tree.isTraced,
    stoppedForMs: since(tree.stoppedSinceMs),
    silentForMs: silentForMs(seen),
    unansweredForMs: since(unansweredAtMs),
    idleProbeUnansweredForMs: since(idleProbe && inexcusableSince(seen, idleProbe.sentAtMs)),
    hasAnsweredProbe: book.hasAnswered,
    isComputingSinceProbe,
    isComputingInSilence: tree.isComputingInSilence,
    isEveryProbeKindUnanswered: book.isEveryKindUnanswered(activityAtMs),
    canBeProbed: book.canBeProbed && (book.isProven || silentForMs(seen) < 2 * stallThresholdMs),
    answerOwedForMs: since(book.owedSince(answerAtMs)),
    provenProbeUnansweredForMs: since(provenAtMs),
    begunCalls: begun,
    queuedCalls: callsInTime(seen) - begun,
    overdueCalls: overdue.length,
    overdueForMs: nowMs - deadlineMs,
    overdueProbeUnansweredForMs: since(overdueAskedAtMs(book, provenAtMs ?? unansweredAtMs, deadlineMs)),
    hadRegularHeartbeats: heartbeats.isRegular(stallThresholdMs),
    answeredDuringCalls: hasAnsweredDuringCalls(seen),
  };
}

/** Since the last inbound message, or since we listen. */
export function silentForMs({ nowMs, connection, windowStartMs }: Observations): number {
  return nowMs - Math.max(connection.lastActivityAtMs, windowStartMs);
}

/** The number of unfinished calls whose deadline has not passed. */
export function callsInTime({ nowMs, connection }: Observations): number {
  return connection.ledger.size === 0 ? 0 : connection.ledger.openAt(nowMs).length;
}

/**
 * The deadlines, all passed, of overdue calls: of those that the server may have begun, where there are any. Clients that go on
 * calling a hung server make calls overdue for ever, and say nothing about how long it has been hung.
 */
export function overdueDeadlines(seen: Observations): readonly number[] {
  const { nowMs, connection, book } = seen;
  if (connection.ledger.size === 0) return NONE;
  const overdue = connection.ledger.overdueAt(nowMs);
  // A call that was called off may end without an answer; without a question that works, nothing else would tell.
  const telling = book.isProven ? overdue : overdue.filter(({ wasCalledOff }) => !wasCalledOff);
  const begun = telling.filter(mayHaveBegun(seen));
  return (begun.length > 0 ? begun : telling).map(deadlineOf);
}

/** Unfinished calls whose deadline has not passed, and which the server may have begun. */
function begunCalls(seen: Observations): readonly OpenCall[] {
  if (seen.connection.ledger.size === 0) return NONE;
  return seen.connection.ledger.openAt(seen.nowMs).filter(mayHaveBegun(seen));
}

/**
 * Whether the server may have begun a call. Not while it owes the answer to a question, of a kind that it is known to answer,
 * that it has to read first: then it is still at what came before, however many calls wait behind. As in row 4, a call that
 * left within a moment of the question counts as begun.
 */
function mayHaveBegun({ book, connection, readsInOrder }: Observations): (call: OpenCall) => boolean {
  const owedSinceMs = readsInOrder ? book.provenUnansweredSince(connection.lastAnswerAtMs) : undefined;
  return ({ startedAtMs }) => owedSinceMs === undefined || startedAtMs - owedSinceMs < ALONE_MS;
}

/** The answer came while all calls that it may be at were under way: none of them keeps it from answering at its beginning. */
export function hasAnsweredDuringCalls(seen: Observations): boolean {
  const { book } = seen;
  const calls = begunCalls(seen);
  const newestAtMs = Math.max(...calls.map(({ startedAtMs }) => startedAtMs));
  return calls.length > 0 && book.lastAnsweredSentAtMs > newestAtMs;
}

/**
 * Since when nothing excuses that a question of an idle server is unanswered. A call that left within a moment of it may have
 * been begun before it was read, so it excuses the question for as long as row 7 waits; no later call does.
 */
function inexcusableSince(
  { nowMs, connection, settings }: Observations,
  sentAtMs: number,
): number | undefined {
  const beside = connection.ledger.calls.filter(
    ({ startedAtMs }) => startedAtMs >= sentAtMs && startedAtMs - sentAtMs < ALONE_MS,
  );
  if (beside.length === 0) return sentAtMs;
  const excusedUntilMs = Math.max(...beside.map(deadlineOf));
  return nowMs < excusedUntilMs ? undefined : excusedUntilMs + settings.health.stallThresholdMs;
}

/** A run that has answered no probe yet, and computes, is still at its start. */
function workAllowanceMs({ settings, book }: Observations, isComputing: boolean): number {
  const { health, startMaxMs } = settings;
  const isLoading = isComputing && !book.hasAnswered;
  return Math.max(health.workAllowanceMs, health.stallThresholdMs, isLoading ? startMaxMs : 0);
}

/** Since when an overdue server owes us an answer: a question of before its deadline counts from the deadline on. */
function overdueAskedAtMs(
  book: ProbeBook,
  unansweredAtMs: number | undefined,
  deadlineMs: number,
): number | undefined {
  if (!book.canBeProbed) return deadlineMs;
  return unansweredAtMs === undefined ? undefined : Math.max(unansweredAtMs, deadlineMs);
}
