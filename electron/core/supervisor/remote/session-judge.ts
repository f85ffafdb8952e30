import type { PanelError } from '../../../../shared/error-codes.ts';
import type { Clock, Disposable } from '../../clock.ts';
import { nextStep, toLoss, toRemoteError } from './remote-errors.ts';

export interface SessionJudgeOptions {
  readonly clock: Clock;
  /** Redacted. */
  readonly url: string;
  /** Asks one more question; settles with what becomes of it on the level of HTTP. */
  readonly ask: () => Promise<void>;
  /** The server gave the session an id. */
  readonly hasId: () => boolean;
  /** The number of requests that nothing has become of yet. */
  readonly unanswered: () => number;
  /** Nothing can be asked any more. */
  readonly onLost: (error: PanelError) => void;
}

/** A server that has ended a session refuses each request on its way; they are heard out for so long. */
const LAST_REFUSALS_MS = 1000;

/** Decides whether an established session lives, whenever something of it has failed. */
export class SessionJudge {
  readonly #options: SessionJudgeOptions;
  #isAsking = false;
  #isDisposed = false;
  #timer: Disposable | undefined;
  /** Set once the server has ended the session, because what is told of it waits for the requests under way. */
  #loss: PanelError | undefined;

  constructor(options: SessionJudgeOptions) {
    this.#options = options;
  }

  /** Why the session is over, although requests of it are still heard out. */
  get loss(): PanelError | undefined {
    return this.#loss;
  }

  /** Something failed. One more question tells whether anything else can succeed. */
  doubt(): void {
    const { ask, url } = this.#options;
    if (this.#isAsking || this.#isDisposed || this.#loss) return;
    this.#isAsking = true;
    void ask()
      .catch((error: unknown) => {
        const failure = toRemoteError(error, url);
        // An overloaded server may keep the session; if it stays so, the missing answers to probes say it.
        const isOverloaded = nextStep(failure) === 'retry' && failure.data?.['status'] !== undefined;
        if (!isOverloaded) this.lost(toLoss(failure, url));
      })
      .finally(() => (this.#isAsking = false));
  }

  /** It is over. Where the server says so, its requests under way are heard out first. */
  lost(error: PanelError): void {
    if (this.#loss) return this.requestEnded();
    const isEndedByServer = error.data?.['status'] === 404 && this.#options.hasId();
    if (!isEndedByServer) return this.#tell(error);
    this.#loss = error;
    if (!this.#isDisposed)
      this.#timer = this.#options.clock.setTimeout(() => this.#tell(error), LAST_REFUSALS_MS);
    this.requestEnded();
  }

  /** Each request that was refused knows that it was not carried out; the others cannot know. */
  requestEnded(): void {
    if (this.#loss && this.#options.unanswered() === 0) this.#tell(this.#loss);
  }

  /** Nothing is told any more. */
  dispose(): void {
    this.#isDisposed = true;
    this.#timer?.dispose();
  }

  #tell(error: PanelError): void {
    if (!this.#isDisposed) this.#options.onLost(error);
  }
}
