import { createDeferred } from '../../deferred.ts';

/** Ends a turn, once. @param isAnswered false where the caller gave up its call, or the server is lost */
export type EndTurn = (isAnswered: boolean) => void;

interface Waiting {
  readonly session: string;
  readonly enter: () => void;
}

/**
 * The calls of tools at one place whose server answers them in turn. One is on the wire, the others wait here, because a
 * call that was written cannot be taken back: one that its client gives up while it waits is never written.
 */
export class TurnLine {
  /** The session whose call is on the wire, by its nonce. */
  #holder: string | undefined;
  readonly #waiting = new Set<Waiting>();
  /** Sessions that were answered, by nonce, the one that was answered last at the end. */
  readonly #answered = new Set<string>();

  /** Calls that wait; 0 proves that nothing leaked. */
  get size(): number {
    return this.#waiting.size;
  }

  /** Whether the call on the wire is another session's. */
  isHeldByOther(session: string): boolean {
    return this.#holder !== undefined && this.#holder !== session;
  }

  /** The turn, where it is free now. */
  tryEnter(session: string): EndTurn | undefined {
    return this.#holder === undefined ? this.#hold(session) : undefined;
  }

  /** The turn, as soon as it comes: to the session that was answered longest ago, of its calls to the oldest. @throws what the signal was aborted with */
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

  /** The session is over. */
  forget(session: string): void {
    this.#answered.delete(session);
  }

  /** Who was not answered keeps its place before those that were: else one that is always given up would always come last. */
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
