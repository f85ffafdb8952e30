import type { PanelError } from '../../../../shared/error-codes.ts';
import { createDeferred } from '../../deferred.ts';
import type { McpConnection } from '../../mcp/mcp-connection.ts';
import type { StartWatch } from '../start/start-watch.ts';
import type { RunPhase } from './run-errors.ts';

/** How far one life of a server has come, and what ends with it, whatever the transport. It goes one way only. */
export class RunLife {
  readonly #abort = new AbortController();
  readonly #closed = createDeferred<never>();
  #phase: RunPhase = 'starting';
  #endError: PanelError | undefined;
  connection: McpConnection | undefined;
  startWatch: StartWatch | undefined;

  constructor() {
    this.#closed.promise.catch(() => undefined);
  }

  get phase(): RunPhase {
    return this.#phase;
  }
  /** Why it is over; undefined before. */
  get endError(): PanelError | undefined {
    return this.#endError;
  }
  /** Aborts when the run is asked to end. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** The handshake is done. */
  up(): void {
    this.#phase = 'up';
  }

  /** It is asked to end: pending requests reject with `error` at once. What ended it first stays the reason. */
  close(error: PanelError): void {
    this.#phase = 'over';
    this.#endError ??= error;
    this.startWatch?.dispose();
    this.connection?.end(error);
    this.#abort.abort(error);
    this.#closed.reject(this.#endError);
  }

  /** It has ended by itself. */
  fail(error: PanelError): void {
    this.#phase = 'over';
    this.#endError = error;
  }

  /** Settles as `step` does, or rejects with why the run is asked to end, at once. What `step` does is not undone. */
  untilClosed<T>(step: Promise<T>): Promise<T> {
    return Promise.race([step, this.#closed.promise]);
  }

  throwIfOver(): void {
    if (this.#endError) throw this.#endError;
  }
}
