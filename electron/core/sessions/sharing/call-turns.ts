/** How a server answers calls that are open at the same time: one after the other, or as each is done. */
export type AnswerOrder = 'in-turn' | 'at-once';

/** What became of a call: `unclear` when no result came, because an error may be answered before its turn. */
export type TurnEnd = 'result' | 'unclear';

/** One call of a tool over one connection that has got its result. Times are of one monotonic clock. */
export interface AnsweredCall {
  readonly writtenAtMs: number;
  readonly answeredAtMs: number;
  /** The last answer to a call that was written before, if that came while this one was open. */
  readonly formerAnswerAtMs: number | undefined;
  /** A call that was written before has no answer yet. */
  readonly isOvertaking: boolean;
}

/** What is known of one version of a server. */
export interface TurnEvidence {
  /** Calls that waited for another one to end, each written after the one before was answered. */
  readonly waits: number;
  readonly lastWaitEndedMs: number;
  readonly order: AnswerOrder | undefined;
}

/** So many calls must have waited, and none overtaken another, because two that end together by chance are seen now and then. */
export const WAITS_TO_LEARN = 5;
/** A shorter wait says nothing, because pipes and event loops take some milliseconds, too. */
export const SHORTEST_WAIT_MS = 250;
/** A call has waited for the other one if it took no more than this part of its time after the other was over. */
const SERVED_PART = 0.25;

export const noEvidence: TurnEvidence = { waits: 0, lastWaitEndedMs: -Infinity, order: undefined };

/**
 * The evidence with one more call. A result that overtakes is a proof, because the call before it was written to the same
 * pipe; a wait is a hint, so many of them are asked for, and the first proof ends the matter.
 */
export function withCall(evidence: TurnEvidence, call: AnsweredCall): TurnEvidence {
  if (evidence.order === 'at-once') return evidence;
  if (call.isOvertaking) return { ...noEvidence, order: 'at-once' };
  // Calls that wait at the same time are one wait: a server that stood still for a moment keeps all of them.
  if (!hasWaited(call) || call.writtenAtMs < evidence.lastWaitEndedMs) return evidence;
  const waits = evidence.waits + 1;
  const order = waits >= WAITS_TO_LEARN ? 'in-turn' : evidence.order;
  return { waits, lastWaitEndedMs: call.answeredAtMs, order };
}

function hasWaited({ writtenAtMs, answeredAtMs, formerAnswerAtMs }: AnsweredCall): boolean {
  if (formerAnswerAtMs === undefined) return false;
  const servedMs = answeredAtMs - formerAnswerAtMs;
  return (
    formerAnswerAtMs - writtenAtMs >= SHORTEST_WAIT_MS &&
    servedMs <= (answeredAtMs - writtenAtMs) * SERVED_PART
  );
}

interface OpenCall {
  readonly number: number;
  readonly writtenAtMs: number;
}

/** The calls of tools over one connection, in the order in which they are written. */
export class CallTurns {
  readonly #now: () => number;
  readonly #onOrder: (order: AnswerOrder) => void;
  readonly #open = new Set<OpenCall>();
  #lastNumber = 0;
  #lastAnswerAtMs = -Infinity;
  /** A call ended so that it cannot be told when the server was done with it. */
  #unclearAtMs = -Infinity;
  #evidence = noEvidence;

  /** @param onOrder called when the calls have shown how the server answers, and again when they show it better */
  constructor(now: () => number, onOrder: (order: AnswerOrder) => void) {
    this.#now = now;
    this.#onOrder = onOrder;
  }

  /** Called as the call is written. The function that is returned is called at its end. */
  begin(): (end: TurnEnd) => void {
    this.#lastNumber += 1;
    const call: OpenCall = { number: this.#lastNumber, writtenAtMs: this.#now() };
    this.#open.add(call);
    return (end) => this.#ended(call, end);
  }

  #ended(call: OpenCall, end: TurnEnd): void {
    if (!this.#open.delete(call)) return;
    const nowMs = this.#now();
    if (end === 'unclear') {
      this.#unclearAtMs = nowMs;
      return;
    }
    const { number, writtenAtMs } = call;
    const [oldest] = this.#open;
    const formerAtMs = this.#lastAnswerAtMs;
    const hasFollowed = formerAtMs > writtenAtMs && this.#unclearAtMs < writtenAtMs;
    this.#lastAnswerAtMs = nowMs;
    this.#learn({
      writtenAtMs,
      answeredAtMs: nowMs,
      formerAnswerAtMs: hasFollowed ? formerAtMs : undefined,
      isOvertaking: oldest !== undefined && oldest.number < number,
    });
  }

  #learn(call: AnsweredCall): void {
    const { order } = this.#evidence;
    this.#evidence = withCall(this.#evidence, call);
    if (this.#evidence.order && this.#evidence.order !== order) this.#onOrder(this.#evidence.order);
  }
}
