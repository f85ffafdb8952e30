import type { PanelError } from '../../../../shared/error-codes.ts';
import type { Clock, Disposable } from '../../clock.ts';
import { nextStep, toLoss, toRemoteError } from './remote-errors.ts';

interface SessionJudgeOptions {
  readonly clock: Clock;
  readonly url: string;
  /** Sends another `ping`; settles with the outcome of its HTTP request. */
  readonly ask: () => Promise<void>;
  readonly hasId: () => boolean;
  readonly unanswered: () => number;
  readonly onLost: (error: PanelError) => void;
}

/**
 * Milliseconds to wait for the refusals of the requests in flight, because a server that ended a session refuses each of them.
 */
const LAST_REFUSALS_MS = 1000;
/** Network codes of a connection that was cut. */
const CUT: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE']);

/** Decides after each failure whether an established session is still alive. */
export class SessionJudge {
  readonly #options: SessionJudgeOptions;
  #isAsking = false;
  #isDisposed = false;
  #timer: Disposable | undefined;
  /** Why the server has ended the session. `onLost` is called only after the requests in flight have ended. */
  #loss: PanelError | undefined;

  constructor(options: SessionJudgeOptions) {
    this.#options = options;
  }

  /** Reason why the session has ended, also set while refusals are awaited; undefined while the session is alive. */
  get loss(): PanelError | undefined {
    return this.#loss;
  }

  /** Sends another `ping` after a failure, to find out whether other requests can succeed. */
  doubt(): void {
    const { ask, url } = this.#options;
    if (this.#isAsking || this.#isDisposed || this.#loss) return;
    this.#isAsking = true;
    void ask()
      .catch((error: unknown) => {
        // What cuts one connection often cuts all of them. The ping may have used a connection that was about to be cut, so a
        // new connection may work.
        if (!CUT.has(toRemoteError(error, url).data?.['networkCode'])) throw error;
        return ask();
      })
      .catch((error: unknown) => {
        const failure = toRemoteError(error, url);
        // An overloaded server may keep the session; if it did not, unanswered probes will show it.
        const isOverloaded = nextStep(failure) === 'retry' && failure.data?.['status'] !== undefined;
        if (!isOverloaded) this.lost(toLoss(failure, url));
      })
      .finally(() => (this.#isAsking = false));
  }

  /** Ends the session. If the server ended it, the outcomes of requests in flight are awaited first. */
  lost(error: PanelError): void {
    if (this.#loss) return this.requestEnded();
    const isEndedByServer = error.data?.['status'] === 404 && this.#options.hasId();
    if (!isEndedByServer) return this.#tell(error);
    this.#loss = error;
    if (!this.#isDisposed)
      this.#timer = this.#options.clock.setTimeout(() => this.#tell(error), LAST_REFUSALS_MS);
    this.requestEnded();
  }

  /** Reports the loss once no request is pending, because only a refused request is known not to have been carried out. */
  requestEnded(): void {
    if (this.#loss && this.#options.unanswered() === 0) this.#tell(this.#loss);
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#timer?.dispose();
  }

  #tell(error: PanelError): void {
    if (!this.#isDisposed) this.#options.onLost(error);
  }
}
