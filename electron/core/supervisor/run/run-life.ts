import type { PanelError } from '../../../../shared/error-codes.ts';
import type { McpConnection } from '../connection/mcp-connection.ts';
import type { StartWatch } from '../start/start-watch.ts';
import type { RunPhase } from './run-errors.ts';

/** How far one life of a server has come, and what ends with it, whatever the transport. It goes one way only. */
export class RunLife {
  readonly #abort = new AbortController();
  #phase: RunPhase = 'starting';
  #endError: PanelError | undefined;
  connection: McpConnection | undefined;
  startWatch: StartWatch | undefined;

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
  }

  /** It has ended by itself. */
  fail(error: PanelError): void {
    this.#phase = 'over';
    this.#endError = error;
  }

  throwIfOver(): void {
    if (this.#endError) throw this.#endError;
  }
}
