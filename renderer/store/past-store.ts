import { createStore } from 'zustand/vanilla';
import type { ErrorReport } from '../../shared/error-codes.ts';
import type { Span } from '../../shared/history.ts';
import { toReport } from '../control-panel.ts';
import type { ClockStore } from './clock-store.ts';

/** Number of answers that are kept for queries without followers, so that returning to a time span does not need a request. */
const KEPT_ANSWERS = 12;
/** Time in ms after which a failed query is repeated. */
const RETRY_MS = 10_000;
/** Minimum age of an answer in ms at which a new follower triggers another request. */
const STALE_MS = 30_000;
/** Time in ms until a measured value is in the history. The answer for a time span that ended longer ago never changes. */
const SETTLING_MS = 5000;

/** Answer to a query of the history. */
export interface PastAnswer<Reply> {
  /** Last answer, kept while a newer one is requested and if that request fails. Undefined until the first answer arrives. */
  readonly reply: Reply | undefined;
  /** Error of the last request; undefined if it succeeded. */
  readonly error: ErrorReport | undefined;
}

/** Returns the key of a query. Equal queries have the same key, even if they are different objects. */
export const pastKeyOf = (query: Span): string => JSON.stringify(query);

interface Question<Query> {
  readonly query: Query;
  followers: number;
  isAsking: boolean;
  askedAt: number;
}

/** Answers to one type of history query, by the query's key. Components subscribe to the answer of their own query. */
export class PastStore<Query extends Span, Reply> {
  readonly state = createStore<ReadonlyMap<string, PastAnswer<Reply>>>(() => new Map());
  readonly #request: (query: Query) => Promise<Reply>;
  readonly #refreshMs: (reply: Reply) => number;
  readonly #clock: ClockStore;
  /** Queries by key, in the order in which they were last used. */
  readonly #questions = new Map<string, Question<Query>>();
  #stopTicking: (() => void) | undefined;

  /** @param refreshMs age in ms after which an answer is requested again if its time span includes the present */
  constructor(
    request: (query: Query) => Promise<Reply>,
    refreshMs: (reply: Reply) => number,
    clock: ClockStore,
  ) {
    this.#request = request;
    this.#refreshMs = refreshMs;
    this.#clock = clock;
  }

  /**
   * Requests the answer unless there is one that is younger than half a minute. While the time span includes the present and
   * the app window is visible, the request is repeated at the interval that `refreshMs` gives. Returns the unsubscribe
   * function. After unsubscribing, the answer is kept for some time.
   */
  follow(query: Query): () => void {
    const question = this.#questionOf(query);
    question.followers += 1;
    this.#stopTicking ??= this.#clock.subscribe(() => this.#tick());
    if (this.#isDue(pastKeyOf(query), question, STALE_MS)) this.#ask(pastKeyOf(query), question);
    let isFollowing = true;
    return () => {
      if (!isFollowing) return;
      isFollowing = false;
      question.followers -= 1;
      this.#dropOldest();
      if ([...this.#questions.values()].some(({ followers }) => followers > 0)) return;
      this.#stopTicking?.();
      this.#stopTicking = undefined;
    };
  }

  /** Requests the answer immediately, even if an answer is known, because the user wants to try again. */
  askAgain(query: Query): void {
    this.#ask(pastKeyOf(query), this.#questionOf(query));
  }

  #isDue(key: string, { query, askedAt }: Question<Query>, mostMs = Infinity): boolean {
    const { reply, error } = this.state.getState().get(key) ?? {};
    const age = this.#clock.getState().now - askedAt;
    if (error !== undefined) return age >= RETRY_MS;
    if (reply === undefined) return true;
    return query.to > askedAt - SETTLING_MS && age >= Math.min(mostMs, this.#refreshMs(reply));
  }

  #ask(key: string, question: Question<Query>): void {
    // Only one request at a time is sent for each query, so that the answers arrive in order.
    if (question.isAsking) return;
    question.isAsking = true;
    question.askedAt = this.#clock.getState().now;
    this.#request(question.query)
      .then(
        (reply) => this.#receive(key, question, { reply, error: undefined }),
        (reason: unknown) => {
          const { reply } = this.state.getState().get(key) ?? {};
          this.#receive(key, question, { reply, error: toReport(reason) });
        },
      )
      .finally(() => (question.isAsking = false));
  }

  #receive(key: string, question: Question<Query>, answer: PastAnswer<Reply>): void {
    // The answer to a query that was dropped in the meantime is ignored, because nothing would ever delete it.
    if (this.#questions.get(key) !== question) return;
    this.state.setState(new Map(this.state.getState()).set(key, answer), true);
  }

  #tick(): void {
    for (const [key, question] of this.#questions)
      if (question.followers > 0 && this.#isDue(key, question)) this.#ask(key, question);
  }

  #dropOldest(): void {
    const unseen = [...this.#questions].filter(([, { followers }]) => followers === 0);
    const dropped = unseen.slice(0, Math.max(0, unseen.length - KEPT_ANSWERS)).map(([key]) => key);
    if (dropped.length === 0) return;
    for (const key of dropped) this.#questions.delete(key);
    const kept = [...this.state.getState()].filter(([key]) => this.#questions.has(key));
    this.state.setState(new Map(kept), true);
  }

  #questionOf(query: Query): Question<Query> {
    const key = pastKeyOf(query);
    const question = this.#questions.get(key) ?? { query, followers: 0, isAsking: false, askedAt: -Infinity };
    this.#questions.delete(key);
    this.#questions.set(key, question);
    return question;
  }
}
