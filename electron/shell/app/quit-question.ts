import type { ClientView } from '../../../shared/gateway.ts';
import { callsAtStake } from '../../../shared/calls-at-stake.ts';
import type { CallsInFlight, QuitQuestion } from '../../../shared/quit-question.ts';
import type { Clock, Disposable } from '../../core/clock.ts';
import { createDeferred, type Deferred } from '../../core/deferred.ts';

/** A page that has not taken the question by then cannot ask it, and must keep nobody from quitting. */
export const UNSEEN_LIMIT_MS = 10_000;

export interface QuitAskerOptions {
  readonly clock: Clock;
  /** False where nobody is there to answer. */
  readonly asksQuestions: boolean;
  /** Calls that would be lost now. */
  readonly atStake: () => CallsInFlight;
  /** Brings the window, and tells its page to ask. */
  readonly show: () => void;
}

/** What waits for its answer, made in the window and by clients. */
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

/** Asks the person before calls are lost. The question stands in the page, so that the panel goes on meanwhile. */
export class QuitAsker {
  readonly #options: QuitAskerOptions;
  #open: Open | undefined;

  constructor(options: QuitAskerOptions) {
    this.#options = options;
  }

  /**
   * Resolves with whether to go on: at once where nothing is lost. Asked again, the same question is shown again; another
   * one takes its place, and the first is answered with no, because the person went on to something else.
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

  /** The question as of now, for the page that asks it; null while nothing is asked. */
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

  /** The page is gone with the question; the next one takes it up, if there is one. */
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
