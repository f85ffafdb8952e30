import { PanelError } from '../../../shared/error-codes.ts';
import type { ServerConfig } from '../../../shared/server-config.ts';
import { LONGEST_TIMER_MS, type Clock, type Disposable } from '../clock.ts';
import { createDeferred } from '../deferred.ts';
import type { Connection } from './connection.ts';
import type { Lease } from './lease.ts';

export interface WaiterOptions {
  readonly contextId: string;
  readonly slot: string;
  readonly config: ServerConfig;
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
  /** From now; no limit when absent. */
  readonly deadlineMs?: number | undefined;
}

export type LeaveCause = 'cancelled' | 'deadline';

/** One caller of `acquire` until it has its lease, or the reason why not. */
export class Waiter<C extends Connection> {
  readonly contextId: string;
  readonly slot: string;
  readonly config: ServerConfig;
  readonly #outcome = createDeferred<Lease<C>>();
  readonly #signal: AbortSignal | undefined;
  readonly #deadlineMs: number | undefined;
  #timer: Disposable | undefined;
  #leaveCause: LeaveCause | undefined;
  #leave: ((cause: LeaveCause) => void) | undefined;

  constructor({ contextId, slot, config, clock, signal, deadlineMs }: WaiterOptions) {
    this.contextId = contextId;
    this.slot = slot;
    this.config = config;
    this.#signal = signal;
    this.#deadlineMs = deadlineMs;
    if (signal?.aborted) this.#leaveCause = 'cancelled';
    signal?.addEventListener('abort', this.#onAbort, { once: true });
    // A deadline that is longer than any timer is none.
    if (deadlineMs !== undefined && deadlineMs <= LONGEST_TIMER_MS) {
      this.#timer = clock.setTimeout(() => this.#wantsToLeave('deadline'), deadlineMs);
    }
  }

  get lease(): Promise<Lease<C>> {
    return this.#outcome.promise;
  }

  /** Why it wants no lease any more; undefined while it does. */
  get leaveCause(): LeaveCause | undefined {
    return this.#leaveCause;
  }

  /** `leave` is called at the deadline and when the caller gives up, and never once the outcome is known. */
  onLeave(leave: (cause: LeaveCause) => void): void {
    this.#leave = leave;
  }

  grant(lease: Lease<C>): void {
    this.#dispose();
    this.#outcome.resolve(lease);
  }

  reject(error: unknown): void {
    this.#dispose();
    this.#outcome.reject(error);
  }

  /** @param isConnecting whether a connect for it was under way */
  rejectForLeaving(cause: LeaveCause, isConnecting: boolean): void {
    this.reject(cause === 'cancelled' ? this.#cancelled() : this.#late(isConnecting));
  }

  readonly #onAbort = () => this.#wantsToLeave('cancelled');

  #wantsToLeave(cause: LeaveCause): void {
    this.#leaveCause ??= cause;
    this.#leave?.(cause);
  }

  #cancelled(): PanelError {
    const cause: unknown = this.#signal?.reason;
    return new PanelError('CANCELLED', `The caller gave up waiting for "${this.config.name}".`, { cause });
  }

  #late(isConnecting: boolean): PanelError {
    const data = { server: this.config.name, deadlineMs: this.#deadlineMs };
    return isConnecting
      ? new PanelError('START_TIMEOUT', `"${this.config.name}" was not ready at the caller's deadline.`, {
          data,
        })
      : new PanelError('POOL_EXHAUSTED', `No session of "${this.config.name}" became free in time.`, {
          data,
        });
  }

  #dispose(): void {
    this.#timer?.dispose();
    this.#signal?.removeEventListener('abort', this.#onAbort);
  }
}
