import { createStore } from 'zustand/vanilla';
import type { ErrorReport } from '../../shared/error-codes.ts';
import type { Span } from '../../shared/history.ts';
import { toReport } from '../control-panel.ts';
import type { ClockStore } from './clock-store.ts';

/** Number of answers kept for queries that nobody follows any more, so that returning to a time span needs no request. */
const KEPT_ANSWERS = 12;
/** Time in ms after which a failed query is repeated. */
const RETRY_MS = 10_000;
/** Age of an answer in ms from which a new follower triggers a new request. */
const STALE_MS = 30_000;
/** Milliseconds until a measured value is in the history. The answer for a time span that ended earlier never changes. */
const SETTLING_MS = 5000;

/** Answer to a query of the history. */
export interface PastAnswer<Reply> {
  /** Last answer; it stays while a newer one is requested and if that request fails. Undefined until an answer came. */
  readonly reply: Reply | undefined;
  /** Error of the last request; undefined if it succeeded. */
  readonly error: ErrorReport | undefined;
}

/** Key of a query; equal queries have the same key, even if their objects differ. */
export const pastKeyOf = (query: Span): string => JSON.stringify(query);

interface Question<Query> {
  readonly query: Query;
  followers: number;
  isAsking: boolean;
  askedAt: number;
}

/** Answers to one kind of query of the history, by query. Components subscribe to the answer of their query. */
export class PastStore<Query extends Span, Reply> {
  readonly state = createStore<ReadonlyMap<string, PastAnswer<Reply>>>(() => new Map());
  readonly #request: (query: Query) => Promise<Reply>;
  readonly #refreshMs: (reply: Reply) => number;
  readonly #clock: ClockStore;
  /** Queries by key, the last followed one at the end. */
  readonly #questions = new Map<string, Question<Query>>();
  #stopTicking: (() => void) | undefined;

  /** @param refreshMs age in ms from which the answer for a span that includes the present is requested again */
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
   * Requests the answer unless it is younger than half a minute. While the span includes the present and the app window is
   * visible, it repeats the request at the history's pace. Returns the unsubscribe function; the answer is then kept for some
   * time.
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

  /** Requests at once, even if an answer is known, because the user wants another try. */
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
    // One request at a time for each query, so that answers arrive in order.
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
    // The answer to a query that was dropped meanwhile would never be deleted.
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
