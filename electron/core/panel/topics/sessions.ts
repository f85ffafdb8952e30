import type { CallOutcome, CallProgress, Offer, OfferInTexts } from '../../../../shared/domain.ts';
import type { SessionsView } from '../../../../shared/sessions-view.ts';
import { PanelError } from '../../../../shared/error-codes.ts';
import type { CallAnswers } from '../../../../shared/ipc/call.ts';
import type { ServerCall, sessionsCalls } from '../../../../shared/ipc/topics/sessions.ts';
import type { Clock } from '../../clock.ts';
import { Emitter } from '../../emitter.ts';
import { WindowCalls } from '../../sessions/window-calls.ts';
import { inTexts, readOffer } from '../../sessions/offer/server-offer.ts';
import type { SupervisedServer } from '../../sessions/supervised-server.ts';
import type { SupervisedSessions } from '../../sessions/supervised-sessions.ts';

interface SessionsTopicOptions {
  readonly clock: Clock;
  readonly fleet: { get(name: string): SupervisedServer };
  readonly sessions: Pick<
    SupervisedSessions<SupervisedServer>,
    'acquire' | 'close' | 'evict' | 'ownConnection' | 'view'
  >;
}

/** Requests of the app window about sessions of servers, and the calls that the window makes to servers. */
export class SessionsTopic implements CallAnswers<typeof sessionsCalls> {
  readonly #options: SessionsTopicOptions;
  readonly #progressed = new Emitter<CallProgress>();
  readonly #calls: WindowCalls;
  readonly #closing = new AbortController();

  constructor(options: SessionsTopicOptions) {
    this.#options = options;
    this.#calls = new WindowCalls({
      clock: options.clock,
      acquire: (contextId, name, signal, timeoutMs) => this.#acquire(contextId, name, signal, timeoutMs),
      onProgress: (progress) => this.#progressed.emit(progress),
    });
  }

  /** Subscribes to the progress of calls that were made with `call`. Returns the unsubscribe function. */
  onProgress(listener: (progress: CallProgress) => void): () => void {
    return this.#progressed.subscribe(listener);
  }

  /** Returns how a server is shared among clients, and its open sessions. @throws PanelError SERVER_UNKNOWN */
  view(name: string): SessionsView {
    return this.#options.sessions.view(name);
  }

  /**
   * Ends the session that uses the server run with this generation number, together with its replica if it has one. Does
   * nothing if the session has already ended.
   */
  evict(name: string, generation: number): Promise<void> {
    return this.#options.sessions.evict(name, generation);
  }

  /** Returns a running server's tools, prompts and resources. @throws PanelError STOPPED, or why the server does not start */
  async offer(name: string): Promise<Offer> {
    return readOffer(await this.#options.sessions.ownConnection(name, this.#closing.signal));
  }

  /** Like `offer`, but returns texts for display. @throws as `offer` */
  async offerTexts(name: string): Promise<OfferInTexts> {
    return inTexts(await this.offer(name));
  }

  /** Makes a call to a server, and starts it if it is stopped. A sent call is never sent again. @throws the error of the call */
  call(call: ServerCall): Promise<CallOutcome> {
    return this.#calls.call(call);
  }

  /** Cancels a call and notifies the server. The promise of the call rejects with CANCELLED. */
  cancel(callId: string): void {
    this.#calls.cancel(callId);
  }

  /** Cancels requests in flight and ends every session. */
  async close(): Promise<void> {
    this.#closing.abort(new PanelError('MANAGER_CLOSED', 'The panel is quitting.'));
    await this.#options.sessions.close();
  }

  /**
   * Acquires a lease, which keeps a session open while the window uses it. @param timeoutMs time limit of the call in ms, which
   * also limits the wait for the lease
   */
  #acquire(contextId: string, name: string, signal: AbortSignal, timeoutMs: number | undefined) {
    const { fleet, sessions } = this.#options;
    const { calls } = fleet.get(name).config.panel;
    return sessions.acquire(contextId, name, { signal, deadlineMs: timeoutMs ?? calls.timeoutMs });
  }
}
