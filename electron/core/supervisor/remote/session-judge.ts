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
 * Milliseconds to wait for the outcomes of the requests in flight after the server has ended the session. The server refuses
 * each of these requests, so most outcomes arrive soon.
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
  /** Reason why the server has ended the session. Set before `onLost` is called, which waits for the requests in flight. */
  #loss: PanelError | undefined;

  constructor(options: SessionJudgeOptions) {
    this.#options = options;
  }

  /** Reason why the server ended the session, even while outcomes of requests in flight are awaited; undefined otherwise. */
  get loss(): PanelError | undefined {
    return this.#loss;
  }

  /** Called after a failure. Sends a `ping` to find out whether other requests can still succeed. */
  doubt(): void {
    const { ask, url } = this.#options;
    if (this.#isAsking || this.#isDisposed || this.#loss) return;
    this.#isAsking = true;
    void ask()
      .catch((error: unknown) => {
        // Often all connections are cut together, so the ping may have used one that was cut as well. A second ping uses a new
        // connection, which may work.
        if (!CUT.has(toRemoteError(error, url).data?.['networkCode'])) throw error;
        return ask();
      })
      .catch((error: unknown) => {
        const failure = toRemoteError(error, url);
        // An overloaded server may have kept the session. If it has not, unanswered probes will show this.
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

  /**
   * Called when a request has ended. Reports a pending loss once no request is unanswered: a request is known not to have been
   * carried out only if the server refused it, so each refusal is awaited.
   */
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
