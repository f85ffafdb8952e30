import type { CallOutcome, CallProgress, Offer, SessionsView } from '../../../../shared/domain.ts';
import { PanelError } from '../../../../shared/error-codes.ts';
import type { CallAnswers } from '../../../../shared/ipc/call.ts';
import type { ServerCall, sessionsCalls } from '../../../../shared/ipc/topics/sessions.ts';
import type { Clock } from '../../clock.ts';
import { Emitter } from '../../emitter.ts';
import { WindowCalls } from '../../sessions/window-calls.ts';
import { readOffer } from '../../sessions/offer/server-offer.ts';
import type { SupervisedServer } from '../../sessions/supervised-server.ts';
import type { SupervisedSessions } from '../../sessions/supervised-sessions.ts';

export interface SessionsTopicOptions {
  readonly clock: Clock;
  readonly fleet: { get(name: string): SupervisedServer };
  readonly sessions: Pick<
    SupervisedSessions<SupervisedServer>,
    'acquire' | 'close' | 'evict' | 'ownConnection' | 'view'
  >;
}

/** What the window asks of the sessions of servers, and the calls that it makes over them. */
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

  /** Progress of calls that `call` made. Returns the undo. */
  onProgress(listener: (progress: CallProgress) => void): () => void {
    return this.#progressed.subscribe(listener);
  }

  /** How the server is shared, and its open sessions. @throws PanelError SERVER_UNKNOWN */
  view(name: string): SessionsView {
    return this.#options.sessions.view(name);
  }

  /** Ends the leases of the session of that generation, and the process if it had one of its own; of an ended one: nothing. */
  evict(name: string, generation: number): Promise<void> {
    return this.#options.sessions.evict(name, generation);
  }

  /** Tools, prompts and resources of a running server. @throws PanelError STOPPED, or why it does not come up */
  async offer(name: string): Promise<Offer> {
    return readOffer(await this.#options.sessions.ownConnection(name, this.#closing.signal));
  }

  /** Starts the server if it is stopped. A call that was sent is never repeated. @throws what became of it */
  call(call: ServerCall): Promise<CallOutcome> {
    return this.#calls.call(call);
  }

  /** Tells the server, too. The call rejects with CANCELLED. */
  cancel(callId: string): void {
    this.#calls.cancel(callId);
  }

  /** Questions under way end, and with them every session. */
  async close(): Promise<void> {
    this.#closing.abort(new PanelError('MANAGER_CLOSED', 'The panel is quitting.'));
    await this.#options.sessions.close();
  }

  /** Who calls waits for a place no longer than for an answer. */
  #acquire(contextId: string, name: string, signal: AbortSignal, timeoutMs: number | undefined) {
    const { fleet, sessions } = this.#options;
    const { calls } = fleet.get(name).config.panel;
    return sessions.acquire(contextId, name, { signal, deadlineMs: timeoutMs ?? calls.timeoutMs });
  }
}
