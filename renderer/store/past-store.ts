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

export function createPastStore<Query extends Span, Reply>(
  options: PastStoreOptions<Query, Reply>,
): PastStore<Query, Reply> {
  const { ask, refreshMs, toReport, clock } = options;
  const state = createStore<ReadonlyMap<string, PastAnswer<Reply>>>(() => new Map());
  /** Questions, the one that was followed last at the end. */
  const questions = new Map<string, Question<Query>>();
  let stopTicking: (() => void) | undefined;

  function isDue(key: string, { query, askedAt }: Question<Query>, mostMs = Infinity): boolean {
    const { reply, error } = state.getState().get(key) ?? {};
    const age = clock.getState().now - askedAt;
    if (error !== undefined) return age >= RETRY_MS;
    if (reply === undefined) return true;
    return query.to > askedAt - SETTLING_MS && age >= Math.min(mostMs, refreshMs(reply));
  }

  function askFor(key: string, question: Question<Query>): void {
    // One question at a time for each span, so that no answer overtakes a newer one.
    if (question.isAsking) return;
    question.isAsking = true;
    question.askedAt = clock.getState().now;
    ask(question.query)
      .then(
        (reply) => receive(key, question, { reply, error: undefined }),
        (reason: unknown) =>
          receive(key, question, { reply: state.getState().get(key)?.reply, error: toReport(reason) }),
      )
      .finally(() => (question.isAsking = false));
  }

  function receive(key: string, question: Question<Query>, answer: PastAnswer<Reply>): void {
    // An answer to a question that was dropped meanwhile would stay for ever.
    if (questions.get(key) === question) state.setState(new Map(state.getState()).set(key, answer), true);
  }

  function tick(): void {
    for (const [key, question] of questions)
      if (question.followers > 0 && isDue(key, question)) askFor(key, question);
  }

  function dropOldest(): void {
    const unseen = [...questions].filter(([, { followers }]) => followers === 0);
    const dropped = unseen.slice(0, Math.max(0, unseen.length - KEPT_ANSWERS)).map(([key]) => key);
    if (dropped.length === 0) return;
    for (const key of dropped) questions.delete(key);
    const kept = [...state.getState()].filter(([key]) => questions.has(key));
    state.setState(new Map(kept), true);
  }

  function questionOf(query: Query): Question<Query> {
    const key = pastKeyOf(query);
    const question = questions.get(key) ?? { query, followers: 0, isAsking: false, askedAt: -Infinity };
    questions.delete(key);
    questions.set(key, question);
    return question;
  }

  function follow(query: Query): () => void {
    const question = questionOf(query);
    question.followers += 1;
    stopTicking ??= clock.subscribe(tick);
    if (isDue(pastKeyOf(query), question, STALE_MS)) askFor(pastKeyOf(query), question);
    let isFollowing = true;
    return () => {
      if (!isFollowing) return;
      isFollowing = false;
      question.followers -= 1;
      dropOldest();
      if ([...questions.values()].some(({ followers }) => followers > 0)) return;
      stopTicking?.();
      stopTicking = undefined;
    };
  }

  return { state, follow, askAgain: (query) => askFor(pastKeyOf(query), questionOf(query)) };
}
