import { silenceWords, type Silence } from '../../../../shared/silence.ts';

/** What is known of one server at one instant. All durations in milliseconds, all measured within the current window. */
export interface LivenessFacts {
  readonly thresholdMs: number;
  readonly probeIntervalMs: number;
  /** Time for which a server that computes may leave a probe unanswered. */
  readonly workAllowanceMs: number;
  /** What becomes of a server that is suspect by row 5b at twice the threshold. */
  readonly onSuspect: 'restart' | 'notify';
  /** Our own loop was late, or the machine slept, less than one window ago. */
  readonly isWindowFresh: boolean;
  /** A debugger is attached. */
  readonly isTraced: boolean;
  /** Time for which the process that would have to answer has been stopped by a signal; absent when it is not. */
  readonly stoppedForMs?: number | undefined;
  /** Since the last inbound message. */
  readonly silentForMs: number;
  /** The longest-unanswered probe since the last inbound message. */
  readonly unansweredForMs?: number | undefined;
  /** The same, of probes that were sent while no call was unfinished, of a kind that this server is known to answer. */
  readonly idleProbeUnansweredForMs?: number | undefined;
  /** This run has answered a probe. Until then it may still be loading what it needs. */
  readonly hasAnsweredProbe: boolean;
  /** The tree has been computing since that probe was sent, or nobody could see whether it has. */
  readonly isComputingSinceProbe: boolean;
  /** The same since the last inbound message. */
  readonly isComputingInSilence: boolean;
  /**
   * The server has answered nothing for this long since it was sent a probe while no call was unfinished, of a kind that
   * it is known to answer. What else it sends is no answer.
   */
  readonly answerOwedForMs?: number | undefined;
  /** The same, of probes sent during calls as well. */
  readonly provenProbeUnansweredForMs?: number | undefined;
  /** Every kind of probe that this server may answer is unanswered. */
  readonly isEveryProbeKindUnanswered: boolean;
  /** Some kind of probe was answered once, or has not been tried. */
  readonly canBeProbed: boolean;
  /** Unfinished calls whose deadline is open, and which the server may be at. */
  readonly begunCalls: number;
  /** The same of those that it cannot have come to, because it reads in order and owes the answer to a question before them. */
  readonly queuedCalls: number;
  /** Unfinished calls past their deadline that it may be at, and since when the last of them is. */
  readonly overdueCalls: number;
  readonly overdueForMs: number;
  /** A question has been open for this long since the last deadline passed. */
  readonly overdueProbeUnansweredForMs?: number | undefined;
  /** The server had been sending heartbeats at even intervals, in this run, until it fell silent. */
  readonly hadRegularHeartbeats: boolean;
  /** The server has answered a probe that was sent while all its unfinished calls were under way already. */
  readonly answeredDuringCalls: boolean;
}

/** Rows as the design's table numbers them. */
export type VerdictRow = 0 | 1 | 2 | 3 | 4 | '4b' | 5 | '5b' | 6 | 7 | 8 | 9;

export type Verdict =
  | { readonly kind: 'none'; readonly row: 0 }
  | { readonly kind: 'paused'; readonly row: 1 }
  | {
      readonly kind: 'stalled';
      readonly row: 2 | 4 | '4b' | 5 | '5b' | 7;
      readonly words: string;
      readonly silence: Silence;
    }
  | { readonly kind: 'alive'; readonly row: 3 }
  /** The server computes and answers nothing: it may be loading a model, or building an index. */
  | { readonly kind: 'working'; readonly row: '4b' }
  | { readonly kind: 'suspect'; readonly row: 5 | '5b'; readonly words: string; readonly silence: Silence }
  | { readonly kind: 'busy'; readonly row: 6 | 7 }
  | { readonly kind: 'unknown'; readonly row: 4 | 8 | 9 }
  /** Silent, and not long enough for any row: as before. */
  | { readonly kind: 'waiting' };

/** A stopped process cannot recover by itself, so nobody waits longer than this for it. */
const STOPPED_LIMIT_MS = 10_000;

/**
 * The verdict table, first match; nothing else decides. A healthy server is never convicted for being busy: computing
 * excuses it, and so does a call within its deadline, because a synchronous wait on a database looks exactly like a
 * deadlock, and then it answers. I/O and round-trip times are evidence for people and never facts here.
 */
export function judge(facts: LivenessFacts): Verdict {
  if (facts.isWindowFresh) return { kind: 'none', row: 0 };
  if (facts.isTraced) return { kind: 'paused', row: 1 };
  if (isStoppedTooLong(facts)) return stopped(facts);
  if (facts.silentForMs < facts.thresholdMs) return judgeHeard(facts);
  if (reached(facts.idleProbeUnansweredForMs, facts.thresholdMs)) return judgeDeaf(facts);
  if (facts.begunCalls > 0) return judgeAtWork(facts);
  if (facts.overdueCalls > 0) return judgeOverdue(facts);
  if (facts.queuedCalls > 0) return { kind: 'busy', row: 6 };
  return facts.canBeProbed ? { kind: 'waiting' } : { kind: 'unknown', row: 8 };
}

/**
 * Rows 9 and 7 are the exceptions to row 3: what sends the messages may be a part that lives on beside a dead one. With
 * nothing to do it is not convicted, because the messages are a sign of life; with every call overdue it is.
 */
function judgeHeard(facts: LivenessFacts): Verdict {
  if (isOverdueFor(facts, facts.provenProbeUnansweredForMs)) return overdue(facts);
  const isAtWork = facts.begunCalls + facts.queuedCalls + facts.overdueCalls > 0;
  const owesAnswer = !isAtWork && reached(facts.answerOwedForMs, facts.thresholdMs);
  return owesAnswer ? { kind: 'unknown', row: 9 } : { kind: 'alive', row: 3 };
}

/** Rows 4 and 4b: a probe that nothing excused at first is unanswered for the threshold. */
function judgeDeaf(facts: LivenessFacts): Verdict {
  const { hasAnsweredProbe, isComputingSinceProbe, idleProbeUnansweredForMs } = facts;
  const unanswered: Silence = { what: 'no-answer', forMs: facts.silentForMs };
  const isExcused = isComputingSinceProbe || !hasAnsweredProbe;
  // The cause, where it is seen; a short threshold may be reached before the stop has lasted as long.
  if (!isExcused)
    return facts.stoppedForMs === undefined
      ? { kind: 'stalled', row: 4, ...told(unanswered) }
      : stopped(facts);
  if (reached(idleProbeUnansweredForMs, facts.workAllowanceMs)) {
    return isComputingSinceProbe
      ? { kind: 'stalled', row: '4b', ...told({ ...unanswered, isComputing: true }) }
      : { kind: 'stalled', row: 4, ...told(unanswered) };
  }
  return isComputingSinceProbe ? { kind: 'working', row: '4b' } : { kind: 'unknown', row: 4 };
}

/** Rows 5, 5b and 6: silent for the threshold, with a call whose deadline is open. */
function judgeAtWork(facts: LivenessFacts): Verdict {
  if (!facts.hadRegularHeartbeats && !facts.answeredDuringCalls) return { kind: 'busy', row: 6 };
  const words = told({ what: 'no-answer', forMs: facts.silentForMs, isDuringCall: true });
  const isConfirmed = facts.silentForMs >= 2 * facts.thresholdMs && facts.isEveryProbeKindUnanswered;
  const isExcused = facts.isComputingInSilence && facts.silentForMs < facts.workAllowanceMs;
  const isConvicted = isConfirmed && !isExcused;
  if (facts.hadRegularHeartbeats) return { kind: isConvicted ? 'stalled' : 'suspect', row: 5, ...words };
  return { kind: isConvicted && facts.onSuspect === 'restart' ? 'stalled' : 'suspect', row: '5b', ...words };
}

function judgeOverdue(facts: LivenessFacts): Verdict {
  return isOverdueFor(facts, facts.silentForMs) ? overdue(facts) : { kind: 'busy', row: 7 };
}

/**
 * Row 7: all deadlines of what it may be at have passed, one more question was asked since, and for two thresholds it has not
 * done what it should. Calls that wait behind a question are no excuse, else clients that go on calling would hide every hang.
 */
function isOverdueFor(facts: LivenessFacts, durationMs: number | undefined): boolean {
  return (
    facts.begunCalls === 0 &&
    facts.overdueCalls > 0 &&
    reached(facts.overdueProbeUnansweredForMs, facts.probeIntervalMs) &&
    reached(durationMs, 2 * facts.thresholdMs)
  );
}

function overdue(facts: LivenessFacts): Verdict {
  return { kind: 'stalled', row: 7, ...told({ what: 'overdue', forMs: facts.overdueForMs ?? 0 }) };
}

function stopped(facts: LivenessFacts): Verdict {
  return { kind: 'stalled', row: 2, ...told({ what: 'stopped', forMs: facts.stoppedForMs ?? 0 }) };
}

function isStoppedTooLong(facts: LivenessFacts): boolean {
  const limitMs = Math.min(STOPPED_LIMIT_MS, facts.thresholdMs);
  return reached(facts.stoppedForMs, limitMs) && facts.unansweredForMs !== undefined;
}

function reached(durationMs: number | undefined, limitMs: number): boolean {
  return durationMs !== undefined && durationMs >= limitMs;
}

/** The words of the verdict, and what they are made of. */
const told = (silence: Silence): { readonly words: string; readonly silence: Silence } => ({
  words: silenceWords(silence, (ms) => `${Math.round(ms / 1000)} s`),
  silence,
});
