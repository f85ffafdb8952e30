import type { RawResult } from '../supervisor/connection/long-message.ts';
import type { CallOptions } from '../supervisor/connection/mcp-connection.ts';
import { PanelError } from '../../../shared/error-codes.ts';
import type { Lease } from './lease.ts';
import type { LeaseRecord } from './session-book.ts';
import type { SupervisedConnection } from './supervised-connection.ts';

/** One context's right to call one server over one session, until it is released. */
export class ServerLease {
  readonly #lease: Lease<SupervisedConnection>;
  readonly #record: LeaseRecord;
  #isReleased = false;

  constructor(lease: Lease<SupervisedConnection>, record: LeaseRecord) {
    this.#lease = lease;
    this.#record = record;
  }

  get contextId(): string {
    return this.#lease.contextId;
  }
  /** Of the session; another one is another session, whose server has forgotten what this one was told. */
  get generation(): number {
    return this.#lease.generation;
  }
  /** The session has ended: nothing can be asked any more. */
  get hasEnded(): boolean {
    return this.#lease.connection.isOver;
  }
  /** Settles when the session has ended. */
  get closed(): Promise<void> {
    return this.#lease.connection.closed;
  }

  /** @throws PanelError SESSION_CLOSED once released or ended; what became of the call: see `McpConnection.request` */
  request(
    method: string,
    params: Record<string, unknown>,
    options: CallOptions = {},
  ): Promise<Record<string, unknown>> {
    return this.#during(({ protocol }) => protocol.request(method, params, options));
  }

  /** The same, with a long result as the bytes that came. */
  requestRaw(
    method: string,
    params: Record<string, unknown>,
    options: CallOptions = {},
  ): Promise<RawResult> {
    return this.#during(({ protocol }) => protocol.requestRaw(method, params, options));
  }

  /** Idempotent. Calls under way go on. */
  async release(): Promise<void> {
    if (this.#isReleased) return;
    this.#isReleased = true;
    await this.#lease.release();
    this.#record.released();
  }

  async #during<T>(call: (connection: SupervisedConnection) => Promise<T>): Promise<T> {
    const { connection } = this.#lease;
    if (this.#isReleased) throw new PanelError('SESSION_CLOSED', 'The lease was released.');
    if (connection.isOver) throw new PanelError('SESSION_CLOSED', 'The session has ended.');
    this.#record.callBegan();
    try {
      return await call(connection);
    } finally {
      this.#record.callEnded();
    }
  }
}
