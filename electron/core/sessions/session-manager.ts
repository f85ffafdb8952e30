import { PanelError } from '../../../shared/error-codes.ts';
import type { ServerConfig } from '../../../shared/server-config.ts';
import type { Clock } from '../clock.ts';
import { createDeferred } from '../deferred.ts';
import type { Connection } from './connection.ts';
import { KeyedMutex } from './keyed-mutex.ts';
import type { Lease } from './lease.ts';
import { Reaper } from './reaper.ts';
import { serverKey } from '../config/server-key.ts';
import {
  checkCount,
  checkDeadline,
  checkDuration,
  checkMode,
  sessionPolicy,
  type SessionLimits,
  type PoolPolicy,
} from './session-policy.ts';
import { SessionPool } from './session-pool.ts';
import type { SessionWarning } from './session-warning.ts';
import { Waiter } from './waiter.ts';

export type { Connection } from './connection.ts';
export type { Lease } from './lease.ts';

export interface SessionManagerOptions<C extends Connection> {
  /** Makes a ready connection. Rejects soon after `signal` aborts, and leaves nothing behind when it rejects. */
  readonly connect: (config: ServerConfig, signal: AbortSignal) => Promise<C>;
  readonly clock: Clock;
  /** How long a session without lease and request is kept. Default: the server's setting, 400 s. */
  readonly idleTimeoutMs?: number;
  /** How often idle sessions are looked for. Default 120 s. */
  readonly sweepIntervalMs?: number;
  /** Sessions per key at most. Default: the server's setting, 10. */
  readonly maxSessions?: number;
  /** How long a teardown may take up room, for all servers or for each. Default 10 s. */
  readonly closeTimeoutMs?: number | ((config: ServerConfig) => number);
  /** What went wrong where nobody waits for an answer. */
  onWarning?(warning: SessionWarning): void;
}

export interface AcquireOptions {
  /** Rejects with CANCELLED, whose `cause` is the signal's reason. No effect once the lease is there. */
  readonly signal?: AbortSignal;
  /** `shared`: one session for all contexts. `exclusive`: one for each context. Default: the server's setting. */
  readonly mode?: 'shared' | 'exclusive';
  /** From the call on, over waiting and connecting. Default: no limit. */
  readonly deadlineMs?: number;
}

const DEFAULT_SWEEP_INTERVAL_MS = 120_000;
const DEFAULT_CLOSE_TIMEOUT_MS = 10_000;

/**
 * Hands out the sessions of all servers: one connect for all who wait, one session for all who may share it, none
 * for nobody. Each key's affairs are its own: a slow connect or teardown of one never delays another.
 */
export class SessionManager<C extends Connection> {
  readonly #options: SessionManagerOptions<C>;
  readonly #limits: SessionLimits;
  readonly #closeTimeoutOf: (config: ServerConfig) => number;
  readonly #reaper: Reaper;
  readonly #pools = new Map<string, SessionPool<C>>();
  /**
   * Guards changes of a pool, which are short and never wait. They would be atomic without it if `connect`, `close`
   * and the clock called nobody back; a call from within one of them gets its turn when the change is complete.
   */
  readonly #mutex = new KeyedMutex<string>();
  #lastGeneration = 0;
  #closing: Promise<void> | undefined;

  /** @throws PanelError CONFIG_INVALID */
  constructor(options: SessionManagerOptions<C>) {
    const { maxSessions, idleTimeoutMs, sweepIntervalMs = DEFAULT_SWEEP_INTERVAL_MS } = options;
    this.#options = options;
    this.#limits = {
      maxSessions: maxSessions === undefined ? undefined : checkCount('maxSessions', maxSessions),
      idleTimeoutMs: idleTimeoutMs === undefined ? undefined : checkDuration('idleTimeoutMs', idleTimeoutMs),
    };
    this.#closeTimeoutOf = closeTimeoutOf(options.closeTimeoutMs);
    this.#reaper = new Reaper({
      clock: options.clock,
      intervalMs: checkDuration('sweepIntervalMs', sweepIntervalMs),
      sweep: () => this.#sweep(),
    });
  }

  /** Keys that have a session, a connect under way or a waiter. */
  get size(): number {
    return this.#pools.size;
  }

  /**
   * A lease of its own for every call.
   * @throws whatever the connect threw that it waited for
   * @throws PanelError CANCELLED, MANAGER_CLOSED, POOL_EXHAUSTED (no room by the deadline), START_TIMEOUT (the connect
   * was not done by the deadline), CONFIG_INVALID (the deadline is no duration, the mode none)
   */
  async acquire(contextId: string, config: ServerConfig, options: AcquireOptions = {}): Promise<Lease<C>> {
    const { signal } = options;
    const { clock } = this.#options;
    const deadlineMs = checkDeadline(options.deadlineMs);
    const mode = checkMode(options.mode);
    const key = serverKey(config);
    const policy = this.#policyOf(config);
    const slot = slotOf(contextId, mode ?? policy.mode);
    const waiter = new Waiter<C>({ contextId, slot, config, clock, signal, deadlineMs });
    await this.#change(key, () => this.#enter(key, waiter, policy));
    return waiter.lease;
  }

  /**
   * The settings of a server were changed: they apply to its open sessions and to those who wait, without another
   * `acquire`. Idle times count from the last use, which may end a session now.
   * @throws PanelError CONFIG_INVALID naming the setting
   */
  async configure(config: ServerConfig): Promise<void> {
    const policy = this.#policyOf(config);
    await this.#change(serverKey(config), (pool) => pool?.configure(policy));
  }

  /** Rejects all who wait for a session of that server with `cause`, and cancels their connects; open sessions stay. */
  async refuse(config: ServerConfig, cause: PanelError): Promise<void> {
    await this.#change(serverKey(config), (pool) => pool?.refuse(cause));
  }

  /**
   * Declares a session unusable, whoever holds leases on it; the next `acquire` connects anew. Of a generation that
   * has ended: nothing. Resolves once the session is torn down, bounded by `closeTimeoutMs`.
   */
  async invalidate(key: string, generation: number, cause: Error): Promise<void> {
    const { teardown } = await this.#change(key, (pool) => ({
      teardown: pool?.invalidate(generation, cause),
    }));
    await teardown;
  }

  /**
   * Cancels every connect, rejects every waiter with MANAGER_CLOSED and ends every session. Nothing is created any
   * more. Idempotent; bounded by `closeTimeoutMs`.
   */
  close(): Promise<void> {
    if (this.#closing) return this.#closing;
    const closing = createDeferred<void>();
    // Before anything is ended, which may call us.
    this.#closing = closing.promise;
    const pools = [...this.#pools.keys()].map((key) => this.#closePool(key));
    Promise.all(pools).then(
      () => closing.resolve(),
      (error: unknown) => closing.reject(error),
    );
    return closing.promise;
  }

  #policyOf(config: ServerConfig): PoolPolicy {
    const closeTimeoutMs = this.#closeTimeoutOf(config);
    return { ...sessionPolicy(config.panel?.sessions, this.#limits), closeTimeoutMs };
  }

  #enter(key: string, waiter: Waiter<C>, policy: PoolPolicy): void {
    if (this.#closing) return waiter.reject(managerClosed());
    // Its turn may have come late, and it must not start a connect for nobody.
    if (waiter.leaveCause) return waiter.rejectForLeaving(waiter.leaveCause, false);
    let pool = this.#pools.get(key);
    if (!pool) {
      pool = this.#createPool(key, policy);
      this.#pools.set(key, pool);
    }
    pool.enter(waiter, policy);
  }

  #createPool(key: string, policy: PoolPolicy): SessionPool<C> {
    const options = {
      key,
      clock: this.#options.clock,
      connect: (config: ServerConfig, signal: AbortSignal) => this.#options.connect(config, signal),
      nextGeneration: () => (this.#lastGeneration += 1),
      change: (apply: () => void) => this.#change(key, apply),
      warn: (warning: SessionWarning) => this.#warn(warning),
    };
    return new SessionPool(options, policy);
  }

  /** Every change of a pool goes through here, so that an unused one is forgotten in the same moment. */
  #change<T>(key: string, apply: (pool: SessionPool<C> | undefined) => T): Promise<T> {
    return this.#mutex.run(key, () => {
      try {
        return apply(this.#pools.get(key));
      } finally {
        if (this.#pools.get(key)?.isEmpty) this.#pools.delete(key);
        if (this.#pools.size === 0) this.#reaper.stop();
        else this.#reaper.start();
      }
    });
  }

  #sweep(): void {
    for (const key of [...this.#pools.keys()]) {
      this.#change(key, (pool) => pool?.sweep()).catch((error: unknown) =>
        this.#warn({ kind: 'sweep-failed', error, key }),
      );
    }
  }

  async #closePool(key: string): Promise<void> {
    const { teardown } = await this.#change(key, (pool) => ({ teardown: pool?.close(managerClosed()) }));
    await teardown;
  }

  #warn(warning: SessionWarning): void {
    try {
      this.#options.onWarning?.(warning);
    } catch {
      // A teardown must not stop half-way because nobody could hear of its trouble.
    }
  }
}

/** @throws PanelError CONFIG_INVALID, also of the function that is returned */
function closeTimeoutOf(
  setting: SessionManagerOptions<Connection>['closeTimeoutMs'] = DEFAULT_CLOSE_TIMEOUT_MS,
): (config: ServerConfig) => number {
  const check = (valueMs: number) => checkDuration('closeTimeoutMs', valueMs);
  if (typeof setting === 'function') return (config) => check(setting(config));
  const valueMs = check(setting);
  return () => valueMs;
}

/** Context ids are free text, so the shared slot must look like none of them. */
function slotOf(contextId: string, mode: 'shared' | 'exclusive'): string {
  return mode === 'shared' ? 'shared' : `exclusive:${contextId}`;
}

function managerClosed(): PanelError {
  return new PanelError('MANAGER_CLOSED', 'The session manager is closed.');
}
