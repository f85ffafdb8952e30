import { silenceWords } from '../../../../shared/silence.ts';
import type { Silence } from '../../../../shared/domain.ts';
import type { FailedCheck } from './own-check.ts';
import type { Work } from './tree-looks.ts';

/**
 * Facts about one server at one moment. All durations are in milliseconds and do not extend beyond the current observation
 * window, which begins anew after a gap (a blocked event loop, or sleep of the machine).
 */
export interface LivenessFacts {
  readonly thresholdMs: number;
  readonly probeIntervalMs: number;
  /** Milliseconds by which a server that computes, or whose work cannot be observed, may exceed the deadline of its calls. */
  readonly workAllowanceMs: number;
  /** Milliseconds for which a probe may remain unanswered; longer in a run that has not answered any probe yet. */
  readonly idleAllowanceMs: number;
  /** Reaction to a server that has been suspect by row 5b for twice the threshold. */
  readonly onSuspect: 'restart' | 'notify';
  /** True shortly after the event loop was late or the machine was asleep, as a new observation window has only just begun. */
  readonly isWindowFresh: boolean;
  /** True if a debugger stops the server process, or did so within the threshold. */
  readonly isHeld: boolean;
  /** The user's own check, if it has failed at least three times in a row while nothing was in flight. */
  readonly failedCheck?: FailedCheck | undefined;
  /** Time for which a signal has stopped the process that has to answer; undefined if it is not stopped. */
  readonly stoppedForMs?: number | undefined;
  /** True if the process is stopped because the container engine has paused its container, not by a signal. */
  readonly isPaused?: boolean | undefined;
  /** Time since the last inbound message. */
  readonly silentForMs: number;
  /** Age of the oldest unanswered probe since the last inbound message; undefined if none. */
  readonly unansweredForMs?: number | undefined;
  /**
   * Age of the oldest unanswered probe that was sent after the server's last message, while no call was unfinished, and whose
   * kind the server has answered before (a proven kind).
   */
  readonly idleProbeUnansweredForMs?: number | undefined;
  /** True if this run has answered a probe. Until then the server may still be loading. */
  readonly hasAnsweredProbe: boolean;
  /** Work of the process tree since the probe of `idleProbeUnansweredForMs` was sent. */
  readonly workSinceProbe: Work;
  /** Work of the process tree since the last inbound message. */
  readonly workInSilence: Work;
  /** Time without any answer since a probe of a proven kind was sent while no call was unfinished. */
  readonly answerOwedForMs?: number | undefined;
  /** True if some kind of probe was answered once, or has not been tried. */
  readonly canBeProbed: boolean;
  /** Unfinished calls within their deadline that the server may have begun. */
  readonly begunCalls: number;
  /**
   * Unfinished calls within their deadline that the server has presumably not begun, because it processes messages in order and
   * has not answered a probe that was sent before them.
   */
  readonly queuedCalls: number;
  /** Unfinished calls past their deadline that the server may have begun. */
  readonly overdueCalls: number;
  /** Time since the deadline of the last overdue call, regardless of the observation window. Used only for texts. */
  readonly overdueForMs: number;
  /** Time without any answer since the deadline of the last overdue call. */
  readonly overdueUnansweredForMs: number;
  /** Time for which a probe has been unanswered since the deadline of the last overdue call; undefined if none. */
  readonly overdueProbeUnansweredForMs?: number | undefined;
  /** True if the server has already answered probes of the kind that `overdueProbeUnansweredForMs` measures. */
  readonly isOverdueProbeProven: boolean;
  /** Work of the process tree since the deadline of the last overdue call. */
  readonly workSinceDeadline: Work;
  /** Number of calls in a row that were not answered by their deadline while probes were answered. */
  readonly lostCalls: number;
  /** True if the server has answered a probe that was sent after all its unfinished calls had started. */
  readonly answeredDuringCalls: boolean;
}

/** Rows as numbered in the table in docs/verdicts.md. */
export type VerdictRow = 0 | 1 | 2 | 3 | 4 | '4b' | '5b' | 6 | 7 | '7b' | '7c' | 8 | 9 | 10;

/** Text of a verdict, and the silence on which it is based; `silence` is undefined for a failed health check of the user. */
export interface Doubt {
  readonly words: string;
  readonly silence?: Silence | undefined;
}

export type Verdict =
  | { readonly kind: 'none'; readonly row: 0 }
  | { readonly kind: 'held'; readonly row: 1 }
  | (Doubt & { readonly kind: 'stalled'; readonly row: 2 | 4 | '4b' | '5b' | 7 | '7b' | 10 })
  | { readonly kind: 'alive'; readonly row: 3 }
  /** The server computes and answers nothing. It may be loading a model, or building an index. */
  | { readonly kind: 'working'; readonly row: '4b'; readonly work: Work }
  | (Doubt & { readonly kind: 'suspect'; readonly row: 4 | '5b' | 10 })
  | { readonly kind: 'busy'; readonly row: 6 }
  /** Calls are past their deadlines, but the server is not judged to be stalled, or not yet. */
  | { readonly kind: 'overdue'; readonly row: 7 | '7b'; readonly work: Work }
  | { readonly kind: 'overdue'; readonly row: '7c' }
  | { readonly kind: 'unknown'; readonly row: 4 | 8 | 9 }
  /** The server is silent, but not for long enough for any row to apply, so the previous verdict remains in force. */
  | { readonly kind: 'waiting' };

/** Milliseconds after which a stopped process is judged to be stalled, because it cannot continue on its own. */
export const stoppedLimitMs = (thresholdMs: number): number => Math.min(10_000, thresholdMs);

/**
 * Applies the verdict table. The first matching row decides, and nothing else does. Only a probe that remains unanswered while
 * the server uses no CPU proves a stall. Visible work, work that cannot be observed, and a call within its deadline excuse the
 * server, because a synchronous wait on a database looks exactly like a deadlock and then ends with an answer. Log lines, I/O
 * and round-trip times are shown to users, but never affect the verdict.
 */
export function judge(facts: LivenessFacts): Verdict {
  if (facts.isWindowFresh) return { kind: 'none', row: 0 };
  if (facts.isHeld) return { kind: 'held', row: 1 };
  if (isStoppedTooLong(facts)) return { kind: 'stalled', row: 2, ...told(stopOf(facts)) };
  const verdict = judgeSilence(facts);
  const { failedCheck } = facts;
  if (failedCheck === undefined || verdict.kind === 'stalled') return verdict;
  return verdict.kind === 'unknown' && verdict.row === 9 ? verdict : judgeFailedCheck(facts, failedCheck);
}

/**
 * Row 10: the user's own health check has failed. Row 10 does not replace the verdict "stalled" of another row. The server is
 * not restarted because of its health check while a caller waits for an answer.
 */
function judgeFailedCheck(
  { begunCalls, queuedCalls }: LivenessFacts,
  { words, onFail }: FailedCheck,
): Verdict {
  const isActed = onFail === 'restart' && begunCalls + queuedCalls === 0;
  return { kind: isActed ? 'stalled' : 'suspect', row: 10, words };
}

function judgeSilence(facts: LivenessFacts): Verdict {
  if (facts.silentForMs < facts.thresholdMs) return judgeHeard(facts);
  if (reached(facts.idleProbeUnansweredForMs, facts.thresholdMs)) return judgeDeaf(facts);
  if (facts.begunCalls > 0) return judgeAtWork(facts);
  if (facts.overdueCalls > 0)
    return judgeOverdue(facts) ?? { kind: 'overdue', row: 7, work: facts.workSinceDeadline };
  if (facts.queuedCalls > 0) return { kind: 'busy', row: 6 };
  return facts.canBeProbed ? { kind: 'waiting' } : { kind: 'unknown', row: 8 };
}

/**
 * True if the panel acts on the verdict of this row. While a debugger is attached as an inspector, which cannot be seen in the
 * process table, the panel acts only on row 2 (the process was stopped).
 */
export const isActedUpon = (row: VerdictRow, hasInspector: boolean): boolean => !hasInspector || row === 2;

/** True if a verdict of the same kind shows another reason why overdue calls prove no stall, or why the server is suspect. */
export const isOtherReason = (verdict: Verdict, before: Verdict): boolean =>
  (verdict.kind === 'overdue' && before.kind === 'overdue' && verdict.row !== before.row) ||
  (verdict.kind === 'suspect' && before.kind === 'suspect' && verdict.row !== before.row);

export function isDoubt({ kind }: Verdict): boolean {
  return kind === 'suspect' || kind === 'stalled';
}

/**
 * Judges a server that has sent messages within the threshold. Normally it is alive (row 3). Rows 7, 9 and 7c are exceptions,
 * because one part of a server may keep sending messages although another part is dead. An idle server that sends messages is
 * never judged to be stalled, but one with all its calls overdue may be.
 */
function judgeHeard(facts: LivenessFacts): Verdict {
  const overdue = facts.isOverdueProbeProven ? judgeOverdue(facts) : undefined;
  if (overdue) return overdue;
  const isAtWork = facts.begunCalls + facts.queuedCalls > 0;
  const isUnfinished = isAtWork || facts.overdueCalls > 0;
  if (!isUnfinished && reached(facts.answerOwedForMs, facts.thresholdMs)) return { kind: 'unknown', row: 9 };
  return facts.lostCalls > 0 && !isAtWork ? { kind: 'overdue', row: '7c' } : { kind: 'alive', row: 3 };
}

/** Rows 4 and 4b: a probe sent while no call was unfinished has been unanswered for the threshold. */
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

/** Rows 5b and 6: the server has been silent for the threshold, with a call within its deadline. */
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
 * Rows 7 and 7b: all deadlines of calls that may have begun have passed, a probe was sent since then, and nothing was answered
 * for two thresholds. Calls that wait behind a probe are not an excuse, because clients that continue to call would otherwise
 * hide every hang. Undefined if these rows do not apply.
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

const stopOf = ({ isPaused, stoppedForMs = 0 }: LivenessFacts): Silence => ({
  what: isPaused ? 'paused' : 'stopped',
  forMs: stoppedForMs,
});

function isStoppedTooLong(facts: LivenessFacts): boolean {
  return (
    reached(facts.stoppedForMs, stoppedLimitMs(facts.thresholdMs)) && facts.unansweredForMs !== undefined
  );
}

function reached(durationMs: number | undefined, limitMs: number): boolean {
  return durationMs !== undefined && durationMs >= limitMs;
}

const workIn = (work: Work): Pick<Silence, 'work'> => (work === 'none' ? {} : { work });

const told = (silence: Silence): Doubt => ({
  words: silenceWords(silence, (ms) => `${Math.round(ms / 1000)} s`),
  silence,
});
