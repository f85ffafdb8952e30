/** What is known of one server at one instant. All durations in milliseconds, all measured within the current window. */
export interface LivenessFacts {
  readonly thresholdMs: number;
  readonly probeIntervalMs: number;
  /** Our own loop was late, or the machine slept, less than one window ago. */
  readonly isWindowFresh: boolean;
  /** A debugger is attached. */
  readonly isTraced: boolean;
  /** For how long every process that holds our pipes has been stopped by a signal; absent when one is not. */
  readonly stoppedForMs?: number | undefined;
  /** Since the last inbound message. */
  readonly silentForMs: number;
  /** The longest-unanswered probe since the last inbound message. */
  readonly unansweredForMs?: number | undefined;
  /** The same, of probes that were sent while no call was unfinished, of a kind that this server is known to answer. */
  readonly idleProbeUnansweredForMs?: number | undefined;
  /**
   * The server has answered nothing for this long since it was sent a probe while no call was unfinished, of a kind that
   * it is known to answer. What else it sends is no answer.
   */
  readonly answerOwedForMs?: number | undefined;
  /** Every kind of probe that this server may answer is unanswered. */
  readonly isEveryProbeKindUnanswered: boolean;
  /** Some kind of probe was answered once, or has not been tried. */
  readonly canBeProbed: boolean;
  /** Unfinished calls whose deadline is open. */
  readonly openCalls: number;
  /** Unfinished calls past their deadline, and since when the last of them is. */
  readonly overdueCalls: number;
  readonly overdueForMs: number;
  /** A question has been open for this long since the last deadline passed. */
  readonly overdueProbeUnansweredForMs?: number | undefined;
  /** The server has once answered a probe, or sent a heartbeat, during a call. */
  readonly answersWhileBusy: boolean;
}

export type Verdict =
  | { readonly kind: 'none'; readonly row: 0 }
  | { readonly kind: 'paused'; readonly row: 1 }
  | { readonly kind: 'stalled'; readonly row: 2 | 4 | 5 | 7; readonly words: string }
  | { readonly kind: 'alive'; readonly row: 3 }
  | { readonly kind: 'suspect'; readonly row: 5; readonly words: string }
  | { readonly kind: 'busy'; readonly row: 6 | 7 }
  | { readonly kind: 'unknown'; readonly row: 8 | 9 }
  /** Silent, and not long enough for any row: as before. */
  | { readonly kind: 'waiting' };

/** A stopped process cannot recover by itself, so nobody waits longer than this for it. */
const STOPPED_LIMIT_MS = 10_000;

/**
 * The verdict table, first match; nothing else decides. CPU, I/O and round-trip times are evidence for people and
 * never facts here: a synchronous wait on a database looks exactly like a deadlock, and then it answers.
 */
export function judge(facts: LivenessFacts): Verdict {
  const { thresholdMs } = facts;
  if (facts.isWindowFresh) return { kind: 'none', row: 0 };
  if (facts.isTraced) return { kind: 'paused', row: 1 };
  if (isStoppedTooLong(facts)) {
    return { kind: 'stalled', row: 2, words: `stopped by a signal for ${seconds(facts.stoppedForMs)}` };
  }
  if (facts.silentForMs < thresholdMs) return judgeHeard(facts);
  if (reached(facts.idleProbeUnansweredForMs, thresholdMs)) {
    return { kind: 'stalled', row: 4, words: `no answer for ${seconds(facts.silentForMs)}` };
  }
  if (facts.openCalls > 0) return facts.answersWhileBusy ? judgeProven(facts) : { kind: 'busy', row: 6 };
  if (facts.overdueCalls > 0) return judgeOverdue(facts);
  return facts.canBeProbed ? { kind: 'waiting' } : { kind: 'unknown', row: 8 };
}

/**
 * Row 9 is the exception to row 3: what sends the messages may be a part that lives on beside a dead one. Nobody is
 * convicted for it, since the messages are a sign of life all the same.
 */
function judgeHeard(facts: LivenessFacts): Verdict {
  const isAtWork = facts.openCalls > 0 || facts.overdueCalls > 0;
  const owesAnswer = !isAtWork && reached(facts.answerOwedForMs, facts.thresholdMs);
  return owesAnswer ? { kind: 'unknown', row: 9 } : { kind: 'alive', row: 3 };
}

function isStoppedTooLong(facts: LivenessFacts): boolean {
  const limitMs = Math.min(STOPPED_LIMIT_MS, facts.thresholdMs);
  return reached(facts.stoppedForMs, limitMs) && facts.unansweredForMs !== undefined;
}

function judgeProven(facts: LivenessFacts): Verdict {
  const words = `no answer for ${seconds(facts.silentForMs)} during a call`;
  const isConfirmed = facts.silentForMs >= 2 * facts.thresholdMs && facts.isEveryProbeKindUnanswered;
  return { kind: isConfirmed ? 'stalled' : 'suspect', row: 5, words };
}

function judgeOverdue(facts: LivenessFacts): Verdict {
  if (!reached(facts.overdueProbeUnansweredForMs, facts.probeIntervalMs)) return { kind: 'busy', row: 7 };
  return { kind: 'stalled', row: 7, words: `call overdue by ${seconds(facts.overdueForMs)}` };
}

function reached(durationMs: number | undefined, limitMs: number): boolean {
  return durationMs !== undefined && durationMs >= limitMs;
}

function seconds(durationMs: number | undefined): string {
  return `${Math.round((durationMs ?? 0) / 1000)} s`;
}
