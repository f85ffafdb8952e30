import { createDeferred } from '../../deferred.ts';

/** Ends a call's turn; has an effect only once. @param isAnswered false if the caller cancelled its call or the server is lost */
export type EndTurn = (isAnswered: boolean) => void;

interface Waiting {
  readonly session: string;
  readonly enter: () => void;
}

/**
 * Queue of the tool calls to a server that answers one at a time. Only one call is sent. The others wait here, because a call
 * that has been sent cannot be taken back. A call that is cancelled while it waits is never sent.
 */
export class TurnLine {
  /** Nonce of the session whose call is at the server. */
  #holder: string | undefined;
  readonly #waiting = new Set<Waiting>();
  /** Nonces of the sessions that got an answer, the most recently answered one last. */
  readonly #answered = new Set<string>();

  /** Number of waiting calls; 0 proves that nothing leaked. */
  get size(): number {
    return this.#waiting.size;
  }

  /** True if the call at the server belongs to another session. */
  isHeldByOther(session: string): boolean {
    return this.#holder !== undefined && this.#holder !== session;
  }

  /** Takes the turn if it is free; otherwise returns undefined. */
  tryEnter(session: string): EndTurn | undefined {
    return this.#holder === undefined ? this.#hold(session) : undefined;
  }

  /**
   * Waits for the turn. The next turn goes to a session that has never got an answer, otherwise to the one whose last answer is
   * oldest; within a session, the oldest call is first. @throws the signal's abort reason
   */
  async enter(session: string, signal: AbortSignal): Promise<EndTurn> {
    signal.throwIfAborted();
    const free = this.tryEnter(session);
    if (free) return free;
    const entered = createDeferred<EndTurn>();
    const waiting: Waiting = { session, enter: () => entered.resolve(this.#hold(session)) };
    const giveUp = () => {
      if (this.#waiting.delete(waiting)) entered.reject(signal.reason as Error);
    };
    this.#waiting.add(waiting);
    signal.addEventListener('abort', giveUp, { once: true });
    try {
      return await entered.promise;
    } finally {
      signal.removeEventListener('abort', giveUp);
    }
  }

  /** Forgets a session that has ended, so that `#answered` does not grow. */
  forget(session: string): void {
    this.#answered.delete(session);
  }

  /**
   * Takes the turn. A call that got no answer does not move its session to the back of the order; otherwise a session that
   * always cancels would always come last.
   */
  #hold(session: string): EndTurn {
    this.#holder = session;
    let isOver = false;
    return (isAnswered) => {
      if (isOver) return;
      isOver = true;
      if (isAnswered) {
        this.#answered.delete(session);
        this.#answered.add(session);
      }
      this.#holder = undefined;
      this.#next();
    };
  }

  #next(): void {
    const order = [...this.#answered];
    let next: Waiting | undefined;
    let nextRank = Infinity;
    for (const waiting of this.#waiting) {
      const rank = order.indexOf(waiting.session);
      if (rank < nextRank) [next, nextRank] = [waiting, rank];
    }
    if (!next) return;
    this.#waiting.delete(next);
    next.enter();
  }
}
