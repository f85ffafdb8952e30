import { PanelError } from '../../../shared/error-codes.ts';
import type { RawResult } from '../mcp/long-message.ts';
import type { CallOptions } from '../mcp/mcp-connection.ts';
import type { LeaseHolder } from './lease-holder.ts';
import type { ServerLink } from './server-link.ts';
import type { SessionUses, SessionUse } from './session-uses.ts';

/** Context that acquires a lease, with its holder if it keeps the lease for long. */
export interface LeaseUser {
  readonly contextId: string;
  readonly holder?: LeaseHolder | undefined;
}

/** The parts of a session that its leases need. */
export interface LeasedSession {
  /** Identity of the server that the session reaches (connection and tenant), as computed by `serverKey`. */
  readonly key: string;
  readonly generation: number;
  readonly uses: SessionUses;
}

/**
 * One context's right to call one server over one session, until it is released. A lease never changes its session. When the
 * session ends, `closed` settles, and every request rejects with SESSION_CLOSED without being sent; the holder then acquires a
 * new lease.
 */
export class Lease {
  readonly contextId: string;
  readonly key: string;
  /**
   * Number of the session. It grows with every connect and is never reused, so a different number means that the state of the
   * previous process is lost.
   */
  readonly generation: number;
  /** Connection of the session: one object for all its leases. It outlives this lease. */
  readonly connection: ServerLink;
  readonly #uses: SessionUses;
  readonly #use: SessionUse;
  readonly #caller: string;
  readonly #giveBack: () => Promise<void>;
  readonly #onEnd: () => void;
  #isReleased = false;

  constructor(
    session: LeasedSession,
    connection: ServerLink,
    { contextId, holder }: LeaseUser,
    giveBack: (lease: Lease) => Promise<void>,
  ) {
    this.contextId = contextId;
    this.key = session.key;
    this.generation = session.generation;
    this.connection = connection;
    this.#uses = session.uses;
    this.#use = session.uses.leased(contextId);
    this.#caller = holder?.caller ?? contextId;
    this.#giveBack = () => giveBack(this);
    this.#onEnd = () => this.#uses.called(this.#use, -1);
  }

  /** True when the session has ended and requests reject. */
  get hasEnded(): boolean {
    return this.connection.hasEnded;
  }
  /** Settles when the session has ended. */
  get closed(): Promise<void> {
    return this.connection.closed;
  }

  /**
   * Sends a request. @throws PanelError SESSION_CLOSED if the lease was released or the session has ended; other errors as
   * `McpConnection.request`
   */
  request(
    method: string,
    params: Record<string, unknown>,
    options: CallOptions = {},
  ): Promise<Record<string, unknown>> {
    return this.#began() ?? this.#counted(this.connection.request(method, params, options));
  }

  /** Works as `request`, but a long result arrives as the received bytes. */
  requestRaw(method: string, params: Record<string, unknown>, options: CallOptions = {}): Promise<RawResult> {
    return this.#began() ?? this.#counted(this.connection.requestRaw(method, params, options));
  }

  /** Releases the lease; calls in flight continue. Idempotent. No effect after the session has ended. */
  async release(): Promise<void> {
    if (this.#isReleased) return;
    this.#isReleased = true;
    await this.#giveBack();
    this.#uses.released(this.#use);
  }

  /** Counts a call as begun. Returns a rejected promise if the lease has been released, otherwise undefined. */
  #began(): Promise<never> | undefined {
    if (this.#isReleased) return Promise.reject(new PanelError('SESSION_CLOSED', 'The lease was released.'));
    this.connection.callers.note(this.#caller);
    this.#uses.called(this.#use, 1);
    return undefined;
  }

  /** Counts the call as ended before its caller receives the result. */
  #counted<T>(call: Promise<T>): Promise<T> {
    call.then(this.#onEnd, this.#onEnd);
    return call;
  }
}
