import type { RawResult } from '../mcp/long-message.ts';
import { PanelError } from '../../../shared/error-codes.ts';
import type { CallOptions } from '../mcp/mcp-connection.ts';
import type { Lease } from './lease.ts';
import type { Use } from './session-uses.ts';
import type { SupervisedLink, UpstreamLink } from './supervised-link.ts';

/**
 * One context's right to call one server over one session, until it is released. It never changes its session: when that
 * ends, `closed` settles and every request rejects with SESSION_CLOSED, nothing sent; the holder acquires again.
 */
export class ServerLease {
  readonly #lease: Lease<SupervisedLink>;
  readonly #use: Use;
  readonly #caller: string;
  #isReleased = false;

  /** @param caller as `LeaseHolder.caller` */
  constructor(lease: Lease<SupervisedLink>, caller = lease.contextId) {
    this.#lease = lease;
    this.#caller = caller;
    this.#use = lease.connection.uses.leased(lease.contextId);
  }

  get contextId(): string {
    return this.#lease.contextId;
  }
  /** Generation of the session. It changes when the session is replaced; state kept by the old server process is lost. */
  get generation(): number {
    return this.#lease.generation;
  }
  /** The session has ended: nothing can be asked any more. */
  get hasEnded(): boolean {
    return this.#lease.connection.hasEnded;
  }
  /** Settles when the session has ended. */
  get closed(): Promise<void> {
    return this.#lease.connection.closed;
  }
  /** The session itself, shared with its other leases. It outlives this lease. */
  get link(): UpstreamLink {
    return this.#lease.connection;
  }

  /** @throws PanelError SESSION_CLOSED once released or ended; what became of the call: see `McpConnection.request` */
  request(
    method: string,
    params: Record<string, unknown>,
    options: CallOptions = {},
  ): Promise<Record<string, unknown>> {
    return this.#during((link) => link.request(method, params, options));
  }

  /** The same, with a long result as the bytes that came. */
  requestRaw(method: string, params: Record<string, unknown>, options: CallOptions = {}): Promise<RawResult> {
    return this.#during((link) => link.requestRaw(method, params, options));
  }

  /** Idempotent. Calls under way go on. */
  async release(): Promise<void> {
    if (this.#isReleased) return;
    this.#isReleased = true;
    await this.#lease.release();
    this.#lease.connection.uses.released(this.#use);
  }

  async #during<T>(call: (link: SupervisedLink) => Promise<T>): Promise<T> {
    const { connection } = this.#lease;
    if (this.#isReleased) throw new PanelError('SESSION_CLOSED', 'The lease was released.');
    connection.callers.note(this.#caller);
    connection.uses.callBegan(this.#use);
    try {
      return await call(connection);
    } finally {
      connection.uses.callEnded(this.#use);
    }
  }
}
