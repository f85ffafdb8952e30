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
  /** Makes a ready connection. Rejects soon after `signal` aborts, and leaves nothing behind when it rejects. */
  readonly connect: (
    config: ServerConfig,
    signal: AbortSignal,
    purpose: ConnectPurpose,
  ) => Promise<ServerLink>;
  readonly clock: Clock;
  /** Configurations of one key share sessions. Default: `serverKey`. */
  readonly keyOf?: (config: ServerConfig) => string;
  /** Time of what is shown of sessions. Default: all of it began in 1970. */
  readonly wallClock?: WallClock;
  /** What is shown of the sessions of a server has changed. */
  readonly onChange?: (server: string) => void;
  /** A process of one context's own was given to another one, and what it held in memory is lost. */
  readonly onGivenUp?: (server: string, contextId: string, idleMs: number) => void;
  /** How long a session without lease and request is kept. Default: the server's setting, 400 s. */
  readonly idleTimeoutMs?: number;
  /** How often idle sessions are looked for. Default 120 s. */
  readonly sweepIntervalMs?: number;
  /** Sessions per key at most. Default: the server's setting, 10. */
  readonly maxSessions?: number;
  /** How long a teardown may take up room, for all servers or for each. Default 10 s. */
  readonly closeTimeoutMs?: CloseTimeout;
  /** What went wrong where nobody waits for an answer. */
  onWarning?(warning: SessionWarning): void;
}

export interface AcquireOptions extends SlotChoice {
  /** Rejects with CANCELLED, whose `cause` is the signal's reason. No effect once the lease is there. */
  readonly signal?: AbortSignal;
  /** The time from the call on, over waiting and connecting. Default: no limit. */
  readonly deadlineMs?: number;
  /** Passed on to the connect. Default: true. */
  readonly mayStart?: MayStart;
  /** Who keeps the lease for long. Without it the lease counts as in use until its release. */
  readonly holder?: LeaseHolder | undefined;
}

/** What follows from a configuration. */
interface Known {
  readonly key: string;
  readonly policy: PoolPolicy;
}

const DEFAULT_SWEEP_INTERVAL_MS = 120_000;

/**
 * Hands out the sessions of all servers: one connect for all who wait, one session for all who may share it, none
 * for nobody. Each key's affairs are its own: a slow connect or teardown of one never delays another.
 */
export class SessionManager {
  readonly #options: SessionManagerOptions;
  readonly #limits: SessionLimits;
  readonly #sweepIntervalMs: number;
  readonly #closeTimeoutOf: (config: ServerConfig) => number;
  readonly #pools = new Map<string, ServerSessions>();
  /** Configurations never change in place, so the hash of each is computed once. */
  readonly #known = new WeakMap<ServerConfig, Known>();
  /** Changes that were asked for from within another one, by `connect`, `close` or the clock. */
  readonly #changes: (() => void)[] = [];
  #isChanging = false;
  #nextSweep: Disposable | undefined;
  #lastGeneration = 0;
  #closing: Promise<void> | undefined;

  /** @throws PanelError CONFIG_INVALID */
  constructor(options: SessionManagerOptions) {
    const { maxSessions, idleTimeoutMs, sweepIntervalMs = DEFAULT_SWEEP_INTERVAL_MS } = options;
    this.#options = options;
    this.#limits = {
      maxSessions: maxSessions === undefined ? undefined : checkCount('maxSessions', maxSessions),
      idleTimeoutMs: idleTimeoutMs === undefined ? undefined : checkDuration('idleTimeoutMs', idleTimeoutMs),
    };
    this.#closeTimeoutOf = closeTimeoutOf(options.closeTimeoutMs);
    this.#sweepIntervalMs = checkDuration('sweepIntervalMs', sweepIntervalMs);
  }

  /** Keys that have a session, a connect under way or a waiter. */
  get size(): number {
    return this.#pools.size;
  }

  /**
   * A lease of its own for every call.
   * @throws whatever the connect threw that it waited for
   * @throws PanelError CANCELLED, MANAGER_CLOSED, POOL_EXHAUSTED (no room by the deadline), START_TIMEOUT (the connect
   * was not done by the deadline), CONFIG_INVALID (the deadline is no duration, the mode or slot none)
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

  /** A lease of a session that is open now; undefined when there is none. @throws PanelError CONFIG_INVALID as `acquire` */
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

  /** Sessions of that server that have a connection, the oldest first. */
  openOf(config: ServerConfig): readonly Session[] {
    return this.#pools.get(this.#knownOf(config).key)?.open ?? [];
  }

  /**
   * The settings of a server were changed: they apply to its open sessions and to those who wait, without another
   * `acquire`. Idle times count from the last use, which may end a session now.
   * @throws PanelError CONFIG_INVALID naming the setting
   */
  async configure(config: ServerConfig): Promise<void> {
    const { key, policy } = this.#knownOf(config);
    await this.#change(key, (pool) => pool?.configure(policy));
  }

  /** Rejects all who wait for a session of that server with `cause`, and cancels their connects; open sessions stay. */
  async refuse(config: ServerConfig, cause: PanelError): Promise<void> {
    await this.#change(this.#knownOf(config).key, (pool) => pool?.refuse(cause));
  }

  /**
   * Declares a session unusable, whoever holds leases on it; the next `acquire` connects anew. A generation that has
   * ended is left alone. Resolves once the session is torn down, bounded by `closeTimeoutMs`.
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
    // Set before anything is ended, because what is ended may call us.
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
    // A waiter may have left before its turn, and it must not start a connect for nobody.
    if (waiter.leaveCause) return waiter.rejectForLeaving(waiter.leaveCause, false);
    let pool = this.#pools.get(key);
    if (!pool) {
      pool = new ServerSessions(this.#poolOptions(key), policy);
      this.#pools.set(key, pool);
    }
    pool.enter(waiter, policy);
  }

  #poolOptions(key: string): ServerSessionsOptions {
    const { clock, wallClock = { epochMs: () => 0 }, onChange, onGivenUp } = this.#options;
    return {
      key,
      clock,
      wallClock,
      connect: (config, signal, purpose) => this.#options.connect(config, signal, purpose),
      onChange: (server) => onChange?.(server),
      onGivenUp: (...loss) => onGivenUp?.(...loss),
      nextGeneration: () => (this.#lastGeneration += 1),
      change: (apply) => this.#change(key, apply),
      warn: (warning) => this.#warn(warning),
    };
  }

  /**
   * Every change of a pool goes through here. It is made before this returns, unless another one is under way: a call
   * from within `connect`, `close` or the clock has its turn when that one is complete.
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

  /** An unused pool is forgotten in the same moment. */
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
      // The next sweep is armed first, because this one may stop the timer, and one that fails must not be the last.
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
      // A teardown must not stop half-way because nobody could hear of its trouble.
    }
  }
}

function managerClosed(): PanelError {
  return new PanelError('MANAGER_CLOSED', 'The session manager is closed.');
}
