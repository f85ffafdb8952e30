import { PanelError } from '../../../shared/error-codes.ts';
import type { ServerConfig } from '../../../shared/server-config.ts';
import type { Clock, Disposable, WallClock } from '../clock.ts';
import { serverKey } from '../config/server-key.ts';
import { createDeferred } from '../deferred.ts';
import type { LeaseHolder } from './lease-holder.ts';
import type { Lease } from './lease.ts';
import type { ServerLink } from './server-link.ts';
import {
  checkCount,
  checkDeadline,
  checkDuration,
  closeTimeoutOf,
  sessionPolicy,
  type CloseTimeout,
  type PoolPolicy,
  type SessionLimits,
  slotOf,
  type SlotChoice,
} from './session-policy.ts';
import { ServerSessions, type ConnectPurpose, type ServerSessionsOptions } from './server-sessions.ts';
import type { Session, SessionWarning } from './session.ts';
import { Waiter, type MayStart } from './waiter.ts';

export interface SessionManagerOptions {
  /** Opens a connection that is ready for requests. Rejects soon after `signal` aborts, and then leaves nothing behind. */
  readonly connect: (
    config: ServerConfig,
    signal: AbortSignal,
    purpose: ConnectPurpose,
  ) => Promise<ServerLink>;
  readonly clock: Clock;
  /** Returns the key of a configuration. Configurations with the same key share sessions. Default: `serverKey`. */
  readonly keyOf?: (config: ServerConfig) => string;
  /** Clock for displayed times. Default: a clock whose time is always 0 (1970). */
  readonly wallClock?: WallClock;
  /** Called when something that the window shows about the sessions of a server has changed. */
  readonly onChange?: (server: string) => void;
  /**
   * Called when a replica that one context used was given to another, so that the first context loses the state that the
   * replica kept in memory.
   */
  readonly onGivenUp?: (server: string, contextId: string, idleMs: number) => void;
  /** Milliseconds for which a session without a lease or request is kept. Default: the server's setting, 400 s. */
  readonly idleTimeoutMs?: number;
  /** Interval of the sweep, which ends sessions that have been idle for too long. Default 120 s. */
  readonly sweepIntervalMs?: number;
  /** Limit of sessions per key. Default: the server's setting, 10. */
  readonly maxSessions?: number;
  /**
   * Maximum time for which a session that is being torn down still counts toward `maxSessions`, as one value or as a function
   * of the configuration. Default 10 s.
   */
  readonly closeTimeoutMs?: CloseTimeout;
  /** Receives errors of work that no caller waits for. */
  onWarning?(warning: SessionWarning): void;
}

export interface AcquireOptions extends SlotChoice {
  /** Signal whose abort rejects with CANCELLED, with the signal's reason as `cause`. No effect once the lease is acquired. */
  readonly signal?: AbortSignal;
  /** Maximum milliseconds from the call of `acquire` until it rejects, for waiting and connecting together. Default: no limit. */
  readonly deadlineMs?: number;
  /** Whether the server may be started for this lease; passed to `connect`. Default: true. */
  readonly mayStart?: MayStart;
  /** Holder of a long-lived lease, which reports how it is used. Without one, the lease counts as in use until its release. */
  readonly holder?: LeaseHolder | undefined;
}

/** Values derived from a configuration, which are cached. */
interface Known {
  readonly key: string;
  readonly policy: PoolPolicy;
}

const DEFAULT_SWEEP_INTERVAL_MS = 120_000;
const ignore = () => undefined;

/**
 * Manages the sessions of all servers and their leases. Callers that wait for the same slot (main instance or replica) of a
 * server share one connect, contexts that use the same slot share one session, and nothing is opened unless a caller waits for
 * it. Servers are independent: a slow connect or teardown of one never delays another.
 */
export class SessionManager {
  readonly #options: SessionManagerOptions;
  readonly #poolOptions: Omit<ServerSessionsOptions, 'key' | 'change'>;
  readonly #limits: SessionLimits;
  readonly #sweepIntervalMs: number;
  readonly #closeTimeoutOf: (config: ServerConfig) => number;
  readonly #pools = new Map<string, ServerSessions>();
  /** Derived values by configuration. They can be cached because a configuration object is never modified. */
  readonly #known = new WeakMap<ServerConfig, Known>();
  /** Changes (see `#change`) that were requested while another change was running. */
  readonly #changes: (() => void)[] = [];
  #isChanging = false;
  #nextSweep: Disposable | undefined;
  #lastGeneration = 0;
  #closing: Promise<void> | undefined;

  /** @throws PanelError CONFIG_INVALID for an invalid limit or duration */
  constructor(options: SessionManagerOptions) {
    const { maxSessions, idleTimeoutMs, sweepIntervalMs = DEFAULT_SWEEP_INTERVAL_MS } = options;
    this.#options = options;
    this.#poolOptions = {
      wallClock: { epochMs: () => 0 },
      onChange: ignore,
      onGivenUp: ignore,
      ...options,
      nextGeneration: () => (this.#lastGeneration += 1),
      warn: (warning) => this.#warn(warning),
    };
    this.#limits = {
      maxSessions: maxSessions === undefined ? undefined : checkCount('maxSessions', maxSessions),
      idleTimeoutMs: idleTimeoutMs === undefined ? undefined : checkDuration('idleTimeoutMs', idleTimeoutMs),
    };
    this.#closeTimeoutOf = closeTimeoutOf(options.closeTimeoutMs);
    this.#sweepIntervalMs = checkDuration('sweepIntervalMs', sweepIntervalMs);
  }

  /** Number of keys with a session, a connect in progress or a waiter. */
  get size(): number {
    return this.#pools.size;
  }

  /**
   * Returns a lease of a session with the server; opens the session if necessary. Every call returns its own lease.
   * @throws errors of the connect that it waited for
   * @throws PanelError CANCELLED, MANAGER_CLOSED, POOL_EXHAUSTED (no room by the deadline), START_TIMEOUT (the connect was not
   * done by the deadline), CONFIG_INVALID (invalid deadline, mode or slot)
   */
  async acquire(contextId: string, config: ServerConfig, options: AcquireOptions = {}): Promise<Lease> {
    const { signal, mayStart = true, holder } = options;
    const { clock } = this.#options;
    const deadlineMs = checkDeadline(options.deadlineMs);
    const open = signal?.aborted ? undefined : this.tryAcquire(contextId, config, options);
    if (open) return open;
    const { key, policy } = this.#knownOf(config);
    const slot = slotOf(contextId, options, policy.mode);
    const waiter = new Waiter({ contextId, slot, mayStart, holder, config, clock, signal, deadlineMs });
    await this.#change(key, () => this.#enter(key, waiter, policy));
    return waiter.lease;
  }

  /** Returns a lease of a session that is open already; undefined if there is none. @throws PanelError as `acquire` */
  tryAcquire(
    contextId: string,
    config: ServerConfig,
    choice: Pick<AcquireOptions, 'slot' | 'mode' | 'holder'> = {},
  ): Lease | undefined {
    const { holder } = choice;
    const { key, policy } = this.#knownOf(config);
    const { name } = slotOf(contextId, choice, policy.mode);
    return this.#isChanging ? undefined : this.#pools.get(key)?.tryEnter({ contextId, holder }, name, policy);
  }

  /** Returns the open sessions with the server, the oldest first. */
  openOf(config: ServerConfig): readonly Session[] {
    return this.#pools.get(this.#knownOf(config).key)?.open ?? [];
  }

  /**
   * Applies changed settings of a server immediately to its open sessions and to callers that wait for one. Idle time counts
   * from the last use, so a shorter limit may end a session immediately.
   * @throws PanelError CONFIG_INVALID naming the setting
   */
  async configure(config: ServerConfig): Promise<void> {
    const { key, policy } = this.#knownOf(config);
    await this.#change(key, (pool) => pool?.configure(policy));
  }

  /** Rejects all waiters for that server with `cause`, and cancels their connects. Open sessions remain. */
  async refuse(config: ServerConfig, cause: PanelError): Promise<void> {
    await this.#change(this.#knownOf(config).key, (pool) => pool?.refuse(cause));
  }

  /**
   * Ends a session regardless of its leases; the next `acquire` connects anew. Has no effect on a generation that has ended.
   * Resolves once the session is torn down, after `closeTimeoutMs` at the latest.
   */
  async invalidate(key: string, generation: number, cause: Error): Promise<void> {
    const { teardown } = await this.#change(key, (pool) => ({
      teardown: pool?.invalidate(generation, cause),
    }));
    await teardown;
  }

  /**
   * Cancels every connect, rejects every waiter with MANAGER_CLOSED and ends every session. Later calls create nothing.
   * Idempotent; takes `closeTimeoutMs` at most.
   */
  close(): Promise<void> {
    if (this.#closing) return this.#closing;
    const closing = createDeferred<void>();
    // Set before any session ends, because the end of a session may call this manager.
    this.#closing = closing.promise;
    const pools = [...this.#pools.keys()].map((key) => this.#closePool(key));
    Promise.all(pools).then(
      () => closing.resolve(),
      (error: unknown) => closing.reject(error),
    );
    return closing.promise;
  }

  #knownOf(config: ServerConfig): Known {
    const known = this.#known.get(config);
    if (known) return known;
    const closeTimeoutMs = this.#closeTimeoutOf(config);
    const policy = { ...sessionPolicy(config.panel?.sessions, this.#limits), closeTimeoutMs };
    const { keyOf = serverKey } = this.#options;
    const fresh: Known = { key: keyOf(config), policy };
    this.#known.set(config, fresh);
    return fresh;
  }

  #enter(key: string, waiter: Waiter, policy: PoolPolicy): void {
    if (this.#closing) return waiter.reject(managerClosed());
    // A waiter may have left before this change ran, and must not start a connect that nobody waits for.
    if (waiter.leaveCause) return waiter.rejectForLeaving(waiter.leaveCause, false);
    let pool = this.#pools.get(key);
    if (!pool) {
      const change = (apply: () => void) => this.#change(key, apply);
      pool = new ServerSessions({ ...this.#poolOptions, key, change }, policy);
      this.#pools.set(key, pool);
    }
    pool.enter(waiter, policy);
  }

  /**
   * Runs a change of a pool (the sessions of one key). The change is complete before this method returns, unless another change
   * is in progress: if `connect`, `close` or the clock requests a change, it runs after the current one.
   */
  #change<T>(key: string, apply: (pool: ServerSessions | undefined) => T): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#changes.push(() => {
        try {
          resolve(this.#applied(key, apply));
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      });
      if (!this.#isChanging) this.#makeChanges();
    });
  }

  #makeChanges(): void {
    this.#isChanging = true;
    for (let next = this.#changes.shift(); next; next = this.#changes.shift()) next();
    this.#isChanging = false;
  }

  /** Applies the change and removes the pool if it became unused. */
  #applied<T>(key: string, apply: (pool: ServerSessions | undefined) => T): T {
    try {
      return apply(this.#pools.get(key));
    } finally {
      if (this.#pools.get(key)?.isEmpty) this.#pools.delete(key);
      if (this.#pools.size > 0) this.#nextSweep ??= this.#sweepLater();
      else this.#stopSweeping();
    }
  }

  #sweepLater(): Disposable {
    return this.#options.clock.setTimeout(() => {
      // The next sweep is scheduled first: this one may then cancel it if no session is left, and sweeps continue even if this
      // one fails.
      this.#nextSweep = this.#sweepLater();
      this.#sweep();
    }, this.#sweepIntervalMs);
  }

  #stopSweeping(): void {
    this.#nextSweep?.dispose();
    this.#nextSweep = undefined;
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
      // An exception of the warning's listener must not stop a teardown.
    }
  }
}

function managerClosed(): PanelError {
  return new PanelError('MANAGER_CLOSED', 'The session manager is closed.');
}
