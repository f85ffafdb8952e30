import { silenceWords, type Silence } from '../../../../shared/silence.ts';
import type { Work } from './tree-work.ts';

/** What is known of one server at one instant. All durations in milliseconds, all measured within the current window. */
export interface LivenessFacts {
  readonly thresholdMs: number;
  readonly probeIntervalMs: number;
  /** Time for which a server that computes, or whose work nobody sees, may be past the deadline of its calls. */
  readonly workAllowanceMs: number;
  /** Time for which it may leave a probe unanswered; longer in a run that has answered none, because that may still be loading. */
  readonly idleAllowanceMs: number;
  /** What becomes of a server that is suspect by row 5b at twice the threshold. */
  readonly onSuspect: 'restart' | 'notify';
  /** Our own loop was late, or the machine slept, less than one window ago. */
  readonly isWindowFresh: boolean;
  /** A debugger holds the server process, or has within the threshold. */
  readonly isHeld: boolean;
  /** Time for which the process that would have to answer has stood still, stopped by a signal; absent when it has not. */
  readonly stoppedForMs?: number | undefined;
  /** Since the last inbound message. */
  readonly silentForMs: number;
  /** The longest-unanswered probe since the last inbound message. */
  readonly unansweredForMs?: number | undefined;
  /** The same, of probes that were sent while no call was unfinished, of a kind that this server is known to answer. */
  readonly idleProbeUnansweredForMs?: number | undefined;
  /** This run has answered a probe. Until then it may still be loading what it needs. */
  readonly hasAnsweredProbe: boolean;
  /** Work of the tree since that probe was sent. */
  readonly workSinceProbe: Work;
  /** The same since the last inbound message. */
  readonly workInSilence: Work;
  /**
   * The server has answered nothing for this long since it was sent a probe while no call was unfinished, of a kind that
   * it is known to answer. What else it sends is no answer.
   */
  readonly answerOwedForMs?: number | undefined;
  /** Some kind of probe was answered once, or has not been tried. */
  readonly canBeProbed: boolean;
  /** Unfinished calls whose deadline is open, and which the server may be at. */
  readonly begunCalls: number;
  /** The same of those that it cannot have come to, because it reads in order and owes the answer to a question before them. */
  readonly queuedCalls: number;
  /** Unfinished calls past their deadline that it may be at. */
  readonly overdueCalls: number;
  /** Since the deadline of the last of them, whatever the window. For the words. */
  readonly overdueForMs: number;
  /** Since that deadline the server has answered nothing for this long. */
  readonly overdueUnansweredForMs: number;
  /** A question has been open for this long since that deadline. */
  readonly overdueProbeUnansweredForMs?: number | undefined;
  /** That question is of a kind that the server is known to answer. */
  readonly isOverdueProbeProven: boolean;
  /** Work of the tree since that deadline. */
  readonly workSinceDeadline: Work;
  /** Calls in a row that had no answer by their deadline, while probes were answered. */
  readonly lostCalls: number;
  /** The server has answered a probe that was sent while all its unfinished calls were under way already. */
  readonly answeredDuringCalls: boolean;
}

/** Rows as the table in docs/verdicts.md numbers them. */
export type VerdictRow = 0 | 1 | 2 | 3 | 4 | '4b' | '5b' | 6 | 7 | '7b' | '7c' | 8 | 9;

export type Verdict =
  | { readonly kind: 'none'; readonly row: 0 }
  | { readonly kind: 'held'; readonly row: 1 }
  | {
      readonly kind: 'stalled';
      readonly row: 2 | 4 | '4b' | '5b' | 7 | '7b';
      readonly words: string;
      readonly silence: Silence;
    }
  | { readonly kind: 'alive'; readonly row: 3 }
  /** The server computes and answers nothing: it may be loading a model, or building an index. */
  | { readonly kind: 'working'; readonly row: '4b'; readonly work: Work }
  | { readonly kind: 'suspect'; readonly row: 4 | '5b'; readonly words: string; readonly silence: Silence }
  | { readonly kind: 'busy'; readonly row: 6 }
  /** Its calls are past their deadlines, and that does not convict it, or not yet. */
  | { readonly kind: 'overdue'; readonly row: 7 | '7b'; readonly work: Work }
  | { readonly kind: 'overdue'; readonly row: '7c' }
  | { readonly kind: 'unknown'; readonly row: 4 | 8 | 9 }
  /** Silent, and not long enough for any row: as before. */
  | { readonly kind: 'waiting' };

/** A stopped process cannot recover by itself, so nobody waits longer than this for it. */
const STOPPED_LIMIT_MS = 10_000;

/**
 * The verdict table, first match; nothing else decides. Only a probe that stays unanswered while the server uses no CPU
 * convicts. Work that shows excuses it, work that cannot be seen does, and so does a call within its deadline, because a
 * synchronous wait on a database looks exactly like a deadlock, and then it answers. Log lines, I/O and round-trip times are
 * evidence for people and never facts here.
 */
export function judge(facts: LivenessFacts): Verdict {
  if (facts.isWindowFresh) return { kind: 'none', row: 0 };
  if (facts.isHeld) return { kind: 'held', row: 1 };
  if (isStoppedTooLong(facts))
    return { kind: 'stalled', row: 2, ...told({ what: 'stopped', forMs: facts.stoppedForMs ?? 0 }) };
  if (facts.silentForMs < facts.thresholdMs) return judgeHeard(facts);
  if (reached(facts.idleProbeUnansweredForMs, facts.thresholdMs)) return judgeDeaf(facts);
  if (facts.begunCalls > 0) return judgeAtWork(facts);
  if (facts.overdueCalls > 0)
    return judgeOverdue(facts) ?? { kind: 'overdue', row: 7, work: facts.workSinceDeadline };
  if (facts.queuedCalls > 0) return { kind: 'busy', row: 6 };
  return facts.canBeProbed ? { kind: 'waiting' } : { kind: 'unknown', row: 8 };
}

/**
 * Whether the panel acts on a conviction. A server that was started with an inspector may be held by its developer in ways
 * that show in no process table, so that only a stop by a signal is acted upon.
 */
export const isActedUpon = (row: VerdictRow, hasInspector: boolean): boolean => !hasInspector || row === 2;

/** Why calls past their deadline do not convict may change, and is shown. */
export const isOtherOverdue = (verdict: Verdict, before: Verdict): boolean =>
  verdict.kind === 'overdue' && before.kind === 'overdue' && verdict.row !== before.row;

export function isDoubt({ kind }: Verdict): boolean {
  return kind === 'suspect' || kind === 'stalled';
}

/**
 * Rows 7, 9 and 7c are exceptions to row 3: what sends the messages may be a part that lives on beside a dead one. With
 * nothing to do it is not convicted, because the messages are a sign of life; with every call overdue it is.
 */
function judgeHeard(facts: LivenessFacts): Verdict {
  const overdue = facts.isOverdueProbeProven ? judgeOverdue(facts) : undefined;
  if (overdue) return overdue;
  const isAtWork = facts.begunCalls + facts.queuedCalls > 0;
  const isUnfinished = isAtWork || facts.overdueCalls > 0;
  if (!isUnfinished && reached(facts.answerOwedForMs, facts.thresholdMs)) return { kind: 'unknown', row: 9 };
  return facts.lostCalls > 0 && !isAtWork ? { kind: 'overdue', row: '7c' } : { kind: 'alive', row: 3 };
}

/** Rows 4 and 4b: a probe that nothing excused at first is unanswered for the threshold. */
function judgeDeaf(facts: LivenessFacts): Verdict {
  const { hasAnsweredProbe, workSinceProbe: work, idleProbeUnansweredForMs, silentForMs } = facts;
  const words = told({ what: 'no-answer', forMs: silentForMs, ...workIn(work) });
  const isAllowanceUsed = reached(idleProbeUnansweredForMs, facts.idleAllowanceMs);
  if (work !== 'none')
    return isAllowanceUsed ? { kind: 'stalled', row: '4b', ...words } : { kind: 'working', row: '4b', work };
  if (!hasAnsweredProbe)
    return isAllowanceUsed ? { kind: 'stalled', row: 4, ...words } : { kind: 'unknown', row: 4 };
  const isConfirmed = reached(idleProbeUnansweredForMs, 2 * facts.thresholdMs);
  return { kind: isConfirmed ? 'stalled' : 'suspect', row: 4, ...words };
}

/** Rows 5b and 6: silent for the threshold, with a call whose deadline is open. */
function judgeAtWork(facts: LivenessFacts): Verdict {
  if (!facts.answeredDuringCalls) return { kind: 'busy', row: 6 };
  const words = told({ what: 'no-answer', forMs: facts.silentForMs, isDuringCall: true });
  const isConfirmed =
    facts.silentForMs >= 2 * facts.thresholdMs &&
    facts.unansweredForMs !== undefined &&
    facts.workInSilence === 'none';
  return { kind: isConfirmed && facts.onSuspect === 'restart' ? 'stalled' : 'suspect', row: '5b', ...words };
}

/**
 * Rows 7 and 7b: all deadlines of what it may be at have passed, one more question was asked since, and for two thresholds
 * nothing was answered. Calls that wait behind a question are no excuse, else clients that go on calling would hide every
 * hang. Undefined while that is not so.
 */
function judgeOverdue(facts: LivenessFacts): Verdict | undefined {
  const { overdueForMs, overdueUnansweredForMs, workSinceDeadline: work } = facts;
  const isOverdue =
    facts.begunCalls === 0 &&
    facts.overdueCalls > 0 &&
    reached(facts.overdueProbeUnansweredForMs, facts.probeIntervalMs) &&
    overdueUnansweredForMs >= 2 * facts.thresholdMs;
  if (!isOverdue) return undefined;
  const words = told({ what: 'overdue', forMs: overdueForMs, ...workIn(work) });
  if (work === 'none') return { kind: 'stalled', row: 7, ...words };
  const isAllowanceUsed = overdueUnansweredForMs >= facts.workAllowanceMs;
  return isAllowanceUsed ? { kind: 'stalled', row: '7b', ...words } : { kind: 'overdue', row: '7b', work };
}

function isStoppedTooLong(facts: LivenessFacts): boolean {
  const limitMs = Math.min(STOPPED_LIMIT_MS, facts.thresholdMs);
  return reached(facts.stoppedForMs, limitMs) && facts.unansweredForMs !== undefined;
}

function reached(durationMs: number | undefined, limitMs: number): boolean {
  return durationMs !== undefined && durationMs >= limitMs;
}

const workIn = (work: Work): Pick<Silence, 'work'> => (work === 'none' ? {} : { work });

/** The words of the verdict, and what they are made of. */
const told = (silence: Silence): { readonly words: string; readonly silence: Silence } => ({
  words: silenceWords(silence, (ms) => `${Math.round(ms / 1000)} s`),
  silence,
});
