import type { ClientView } from '../../../shared/gateway.ts';
import { callsAtStake } from '../../../shared/calls-at-stake.ts';
import type { CallsInFlight, QuitQuestion } from '../../../shared/quit-question.ts';
import type { Clock, Disposable } from '../../core/clock.ts';
import { createDeferred, type Deferred } from '../../core/deferred.ts';

/** Milliseconds for the page to fetch the question. Then the answer counts as yes, so a broken page cannot prevent quitting. */
export const UNSEEN_LIMIT_MS = 10_000;

interface QuitAskerOptions {
  readonly clock: Clock;
  /** False if there is no user who could answer. */
  readonly asksQuestions: boolean;
  /** Returns the calls in flight that would be lost if the user's action were carried out now. */
  readonly atStake: () => CallsInFlight;
  /** Shows the app window, and makes its page ask the question. */
  readonly show: () => void;
}

/** Returns the calls in flight, of the app window and of MCP clients. */
export function callsAtQuit(
  ownCalls: number,
  clients: readonly Pick<ClientView, 'name' | 'sessions'>[],
): CallsInFlight {
  const calling = clients.map(({ name, sessions }) => ({
    name,
    calls: sessions.reduce((sum, { inFlight }) => sum + inFlight, 0),
  }));
  return { ownCalls, clients: calling.filter(({ calls }) => calls > 0) };
}

interface Open {
  readonly before: QuitQuestion['before'];
  readonly answer: Deferred<boolean>;
  timer: Disposable | undefined;
}

/** Asks the user before calls in flight are lost. Asks in the page, not a system dialog, so that the panel keeps running. */
export class QuitAsker {
  readonly #options: QuitAskerOptions;
  #open: Open | undefined;

  constructor(options: QuitAskerOptions) {
    this.#options = options;
  }

  /**
   * Resolves with whether to continue; immediately with true if no call would be lost. If the same question is asked again, it
   * is shown again. If a different question is asked, the open one resolves with false, because the user has chosen a different
   * action.
   */
  may(before: QuitQuestion['before']): Promise<boolean> {
    const { asksQuestions, atStake, show } = this.#options;
    if (this.#open?.before !== before) {
      if (!asksQuestions || callsAtStake(atStake()) === 0) return Promise.resolve(true);
      this.answer(false);
      this.#open = { before, answer: createDeferred<boolean>(), timer: undefined };
    }
    const { answer } = this.#open;
    this.#awaitPage();
    show();
    return answer.promise;
  }

  /** Returns the current question for the page; null if none is open. */
  taken(): QuitQuestion | null {
    if (this.#open === undefined) return null;
    this.#open.timer?.dispose();
    return { before: this.#open.before, ...this.#options.atStake() };
  }

  answer(isYes: boolean): void {
    this.#open?.timer?.dispose();
    this.#open?.answer.resolve(isYes);
    this.#open = undefined;
  }

  /** Called when the page has ended. A new page gets the full time to fetch an open question. */
  pageEnded(): void {
    if (this.#open !== undefined) this.#awaitPage();
  }

  dispose(): void {
    this.#open?.timer?.dispose();
    this.#open = undefined;
  }

  #awaitPage(): void {
    if (this.#open === undefined) return;
    this.#open.timer?.dispose();
    this.#open.timer = this.#options.clock.setTimeout(() => this.answer(true), UNSEEN_LIMIT_MS);
  }
}
