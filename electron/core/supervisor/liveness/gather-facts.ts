import type { PanelSettings } from '../../../../shared/panel-settings.ts';
import { deadlineOf, type CallLedger, type OpenCall } from '../../mcp/call-ledger.ts';
import type { ListeningTime } from './listening-time.ts';
import type { ProbeBook } from './probe-book.ts';
import type { TreeLooks } from './tree-looks.ts';
import type { Work } from './tree-work.ts';
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
  /** What was not heard while we ourselves did not listen is no silence. */
  readonly time: ListeningTime;
  readonly isWindowFresh: boolean;
  /** It is told everything over one pipe, and comes to a message only after those before it. */
  readonly readsInOrder: boolean;
  readonly connection: HeardConnection;
  readonly settings: PanelSettings;
  readonly book: ProbeBook;
  readonly tree: TreeLooks;
}

/** Makes of the observations what the verdict table reads. Changes nothing. */
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
    isHeld: nowMs - tree.heldAtMs < health.stallThresholdMs,
    stoppedForMs: since(tree.stoppedSinceMs),
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

/** Since the last inbound message, or since we listen. */
export function silentForMs({ nowMs, connection, time }: Observations): number {
  return time.since(connection.lastActivityAtMs, nowMs);
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
 * been begun before it was read, so it excuses the question until its deadline, as in row 7; no later call does.
 */
function inexcusableSince({ nowMs, connection }: Observations, sentAtMs: number): number | undefined {
  const beside = connection.ledger.calls.filter(
    ({ startedAtMs }) => startedAtMs >= sentAtMs && startedAtMs - sentAtMs < ALONE_MS,
  );
  if (beside.length === 0) return sentAtMs;
  const excusedUntilMs = Math.max(...beside.map(deadlineOf));
  return nowMs < excusedUntilMs ? undefined : excusedUntilMs;
}

/** A run that has answered no probe yet, and computes, is still at its start. */
function idleAllowanceMs({ settings, book }: Observations, work: Work): number {
  const { health, startMaxMs } = settings;
  const isLoading = work !== 'none' && !book.hasAnswered;
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
