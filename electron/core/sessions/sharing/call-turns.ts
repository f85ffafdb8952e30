import type { Clock } from '../../clock.ts';
import { OpenSet } from '../../open-map.ts';

/** Order in which a server answers concurrent calls: one after the other, or each as soon as it is done. */
export type AnswerOrder = 'in-turn' | 'at-once';

/**
 * How a call ended: with a result, or without one (`unclear`). The latter does not show the answer order, because a server may
 * send an error before it has processed the earlier calls.
 */
type TurnEnd = 'result' | 'unclear';

/** A tool call over one connection that has received its result. All times come from one monotonic clock. */
export interface AnsweredCall {
  readonly writtenAtMs: number;
  readonly answeredAtMs: number;
  /** Monotonic time of the last answer to an earlier call, if that answer arrived while this call was open. */
  readonly formerAnswerAtMs: number | undefined;
  /** True if an earlier call had no answer yet when this call was answered. */
  readonly isOvertaking: boolean;
}

/** Evidence about the answer order of one version of a server. */
interface TurnEvidence {
  /** Number of calls that waited for an earlier call to end. Calls that waited at the same time are counted once. */
  readonly waits: number;
  readonly lastWaitEndedMs: number;
  readonly order: AnswerOrder | undefined;
}

/**
 * Number of waits from which a server is considered to answer in turn, if no result has overtaken an earlier call. Fewer waits
 * prove nothing, because two calls may end at the same time by chance.
 */
export const WAITS_TO_LEARN = 5;
/** Shortest wait in ms that counts, because pipes and event loops also take a few milliseconds. */
export const SHORTEST_WAIT_MS = 250;
/** A call counts as having waited for an earlier call if at most this share of its duration follows the answer to that call. */
const SERVED_PART = 0.25;

export const noEvidence: TurnEvidence = { waits: 0, lastWaitEndedMs: -Infinity, order: undefined };

/**
 * Returns the evidence including one more call. If the result of a call overtakes an earlier call, it proves that the server
 * answers at once, because both calls were written to the same pipe; this is final. A call that waited is only a hint that the
 * server answers in turn, so several are required.
 */
export function withCall(evidence: TurnEvidence, call: AnsweredCall): TurnEvidence {
  if (evidence.order === 'at-once') return evidence;
  if (call.isOvertaking) return { ...noEvidence, order: 'at-once' };
  // Calls that wait at the same time count as one wait, because a short pause of a server delays all of them.
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

/** A tool call that has not ended yet. */
interface OpenCall {
  readonly number: number;
  readonly writtenAtMs: number;
}

/** Tool calls over one connection, in the order of sending. The times of their results show in which order the server answers. */
export class CallTurns {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #onOrder: (order: AnswerOrder) => void;
  readonly #open = new OpenSet<OpenCall>();
  #lastNumber = 0;
  #lastAnswerAtMs = -Infinity;
  /**
   * Monotonic time at which a call last ended without a result. Such an end does not show when the server finished the call, so
   * calls that were open at that time are not evidence of waiting.
   */
  #unclearAtMs = -Infinity;
  #evidence = noEvidence;

  /** @param onOrder called when the calls have revealed the answer order, and again if better evidence follows */
  constructor(clock: Pick<Clock, 'now'>, onOrder: (order: AnswerOrder) => void) {
    this.#clock = clock;
    this.#onOrder = onOrder;
  }

  /** Records a call when it is sent. */
  begin(): OpenCall {
    this.#lastNumber += 1;
    const call: OpenCall = { number: this.#lastNumber, writtenAtMs: this.#clock.now() };
    this.#open.add(call);
    return call;
  }

  /** Records the end of a call. */
  ended(call: OpenCall, end: TurnEnd): void {
    if (!this.#open.delete(call)) return;
    const nowMs = this.#clock.now();
    if (end === 'unclear') {
      this.#unclearAtMs = nowMs;
      return;
    }
    const { number, writtenAtMs } = call;
    const [oldest] = this.#open.values();
    const formerAtMs = this.#lastAnswerAtMs;
    const hasFollowed = formerAtMs > writtenAtMs && this.#unclearAtMs < writtenAtMs;
    const isOvertaking = oldest !== undefined && oldest.number < number;
    this.#lastAnswerAtMs = nowMs;
    // A call that did not overlap with another one is not evidence of the answer order.
    if (!hasFollowed && !isOvertaking) return;
    const { order } = this.#evidence;
    const formerAnswerAtMs = hasFollowed ? formerAtMs : undefined;
    this.#evidence = withCall(this.#evidence, {
      writtenAtMs,
      answeredAtMs: nowMs,
      formerAnswerAtMs,
      isOvertaking,
    });
    if (this.#evidence.order && this.#evidence.order !== order) this.#onOrder(this.#evidence.order);
  }
}
