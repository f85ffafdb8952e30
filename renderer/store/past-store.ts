import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ErrorReport } from '../../shared/error-codes.ts';
import type { Span } from '../../shared/history.ts';
import type { ClockStore } from './clock-store.ts';

/** Answers that are kept beside those that somebody looks at, so that the way back to a span costs nothing. */
const KEPT_ANSWERS = 12;
/** Age at which a question that failed is asked again. */
const RETRY_MS = 10_000;
/** Age of an answer at which somebody who opens its span does not look at it without asking anew. */
const STALE_MS = 30_000;
/** Time that figures may take into the history. A span that ended before that says the same for ever. */
const SETTLING_MS = 5000;

/** What is known of a question about the past. */
export interface PastAnswer<Reply> {
  /** The last answer that came; it stays while a newer one is asked for, and when asking fails. */
  readonly reply: Reply | undefined;
  /** Why the last question got no answer. */
  readonly error: ErrorReport | undefined;
}

/** Answers of one call about the past, by question. Components subscribe to the answer of their question. */
export interface PastStore<Query extends Span, Reply> {
  readonly state: StoreApi<ReadonlyMap<string, PastAnswer<Reply>>>;
  /**
   * Asks unless an answer of the last half minute is known, and again at the pace of the history while the span lasts and the window is visible.
   * Returns the undo, after which the answer is kept for a while.
   */
  follow(query: Query): () => void;
  /** Asks at once, whatever is known: a person wants it tried again. */
  askAgain(query: Query): void;
}

export interface PastStoreOptions<Query extends Span, Reply> {
  readonly ask: (query: Query) => Promise<Reply>;
  /** Age at which an answer of a span that still lasts is asked for anew. */
  readonly refreshMs: (reply: Reply) => number;
  readonly toReport: (reason: unknown) => ErrorReport;
  readonly clock: ClockStore;
}

/** Name of a question: the same one has the same name, however often its object is made anew. */
export const pastKeyOf = (query: Span): string => JSON.stringify(query);

interface Question<Query> {
  readonly query: Query;
  followers: number;
  isAsking: boolean;
  askedAt: number;
}

export const createPastStore = <Query extends Span, Reply>(
  options: PastStoreOptions<Query, Reply>,
): PastStore<Query, Reply> => new Answers(options);

class Answers<Query extends Span, Reply> implements PastStore<Query, Reply> {
  readonly state = createStore<ReadonlyMap<string, PastAnswer<Reply>>>(() => new Map());
  readonly #options: PastStoreOptions<Query, Reply>;
  /** Questions, the one that was followed last at the end. */
  readonly #questions = new Map<string, Question<Query>>();
  #stopTicking: (() => void) | undefined;

  constructor(options: PastStoreOptions<Query, Reply>) {
    this.#options = options;
  }

  follow(query: Query): () => void {
    const question = this.#questionOf(query);
    question.followers += 1;
    this.#stopTicking ??= this.#options.clock.subscribe(() => this.#tick());
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

  askAgain(query: Query): void {
    this.#ask(pastKeyOf(query), this.#questionOf(query));
  }

  #isDue(key: string, { query, askedAt }: Question<Query>, mostMs = Infinity): boolean {
    const { reply, error } = this.state.getState().get(key) ?? {};
    const age = this.#options.clock.getState().now - askedAt;
    if (error !== undefined) return age >= RETRY_MS;
    if (reply === undefined) return true;
    return query.to > askedAt - SETTLING_MS && age >= Math.min(mostMs, this.#options.refreshMs(reply));
  }

  #ask(key: string, question: Question<Query>): void {
    const { ask, clock, toReport } = this.#options;
    // One question at a time for each span, so that no answer overtakes a newer one.
    if (question.isAsking) return;
    question.isAsking = true;
    question.askedAt = clock.getState().now;
    ask(question.query)
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
    // An answer to a question that was dropped meanwhile would stay for ever.
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
