import type { PanelError } from '../../../../shared/error-codes.ts';
import { createDeferred } from '../../deferred.ts';
import type { McpConnection } from '../../mcp/mcp-connection.ts';
import type { StartWatch } from '../start/start-watch.ts';
import type { RunPhase } from './run-errors.ts';

/** Phase of one run, and the parts that end with it, for any transport. Phases only move forward. */
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
  /** Reason of the end; undefined before the end. */
  get endError(): PanelError | undefined {
    return this.#endError;
  }
  /** Aborts when the run has to end. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Called after the handshake. */
  up(): void {
    this.#phase = 'up';
  }

  /** Ends the run on request: pending requests reject with `error` at once. The first reason is kept. */
  close(error: PanelError): void {
    this.#phase = 'over';
    this.#endError ??= error;
    this.startWatch?.dispose();
    this.connection?.end(error);
    this.#abort.abort(error);
    this.#closed.reject(this.#endError);
  }

  /** Notes that the run ended by itself. */
  fail(error: PanelError): void {
    this.#phase = 'over';
    this.#endError = error;
  }

  /** Settles as `step` does, or rejects with the reason as soon as the run has to end. Effects of `step` stay. */
  untilClosed<T>(step: Promise<T>): Promise<T> {
    return Promise.race([step, this.#closed.promise]);
  }

  throwIfOver(): void {
    if (this.#endError) throw this.#endError;
  }
}
