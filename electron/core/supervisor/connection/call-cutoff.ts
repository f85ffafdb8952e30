import { ErrorCode as RpcErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import type { Clock, Disposable } from '../../clock.ts';
import { Deadline } from '../../deadline.ts';
import { excuse } from '../../wait-times.ts';
import { callerDeadlineOf, type OpenCall } from './call-ledger.ts';

/**
 * Ends the wait of one caller: aborts its `signal` when the caller does, or when the deadline of its call has passed.
 * The SDK has a timer for this, too; but it looks at the longest total time only when progress comes, and measures it by
 * the time of day. Dispose it with the call: what the caller aborts later is no business of the server.
 */
export class CallCutoff implements Disposable {
  readonly #clock: Clock;
  readonly #caller: AbortSignal | undefined;
  readonly #abort = new AbortController();
  #deadline: Deadline | undefined;
  #timeout: McpError | undefined;

  constructor(clock: Clock, caller: AbortSignal | undefined) {
    this.#clock = clock;
    this.#caller = caller;
    if (caller?.aborted) this.#onCallerAbort();
    else caller?.addEventListener('abort', this.#onCallerAbort, { once: true });
  }

  /** For the request to the SDK, which sends `notifications/cancelled` when it aborts. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** The request has left: from now on its deadline counts. */
  watch(call: OpenCall): void {
    const clock = this.#clock;
    const { timeoutMs, maxTotalMs } = call.limits;
    this.#deadline = new Deadline({
      clock,
      dueAtMs: () => callerDeadlineOf(call),
      limitMs: () => Math.min(timeoutMs, maxTotalMs),
      onAbsent: (absentMs) => excuse(call, absentMs, clock.now()),
      onPassed: () => this.#abort.abort((this.#timeout = timeoutOf(call))),
    });
  }

  /** The request failed by its deadline. A server may say the same, code and all, of a wait of its own. */
  isTimeout(error: unknown): boolean {
    return this.#timeout !== undefined && error === this.#timeout;
  }

  dispose(): void {
    this.#deadline?.dispose();
    this.#caller?.removeEventListener('abort', this.#onCallerAbort);
  }

  readonly #onCallerAbort = () => this.#abort.abort(this.#caller?.reason);
}

/** As the SDK says it. */
function timeoutOf({ limits }: OpenCall): McpError {
  return new McpError(RpcErrorCode.RequestTimeout, 'Request timed out', { timeout: limits.timeoutMs });
}
