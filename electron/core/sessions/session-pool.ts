import { PanelError } from '../../../shared/error-codes.ts';
import type { ServerConfig } from '../../../shared/server-config.ts';
import type { Clock } from '../clock.ts';
import type { Connection } from './connection.ts';
import type { Lease } from './lease.ts';
import type { PoolPolicy } from './session-policy.ts';
import type { SessionWarning } from './session-warning.ts';
import { Session } from './session.ts';
import { WaiterQueue } from './waiter-queue.ts';
import type { LeaveCause, Waiter } from './waiter.ts';

export interface SessionPoolOptions<C extends Connection> {
  readonly key: string;
  readonly clock: Clock;
  readonly connect: (config: ServerConfig, signal: AbortSignal) => Promise<C>;
  readonly nextGeneration: () => number;
  /** Runs `apply` when it is this key's turn. Everything here except construction happens within. */
  readonly change: (apply: () => void) => Promise<void>;
  readonly warn: (warning: SessionWarning) => void;
}

/**
 * The sessions of one key and who waits for one. A slot names whose session it is: all contexts share one slot, or
 * each has its own. A session takes up room from its connect until its teardown is over. It has its slot only until the
 * teardown begins, so that the next one need not wait for it, except where a connect is being cancelled: there is one
 * connect at a time.
 */
export class SessionPool<C extends Connection> {
  readonly #options: SessionPoolOptions<C>;
  /** By slot. */
  readonly #sessions = new Map<string, Session<C>>();
  /** Those that have no slot any more. */
  readonly #ending = new Set<Session<C>>();
  readonly #waiters = new WaiterQueue<C>();
  #policy: PoolPolicy;

  constructor(options: SessionPoolOptions<C>, policy: PoolPolicy) {
    this.#options = options;
    this.#policy = policy;
  }

  get isEmpty(): boolean {
    return this.#taken === 0 && this.#waiters.isEmpty;
  }

  /** The caller gets its lease at once, or waits. `policy` is in force from now on. */
  enter(waiter: Waiter<C>, policy: PoolPolicy): void {
    this.#policy = policy;
    const session = this.#sessions.get(waiter.slot);
    if (session?.connection) return this.#grant(session, session.connection, waiter);
    this.#waiters.add(waiter);
    waiter.onLeave((cause) => void this.#options.change(() => this.#leave(waiter, cause)));
    if (session?.kind !== 'connecting') this.#makeRoom();
  }

  /** `policy` is in force from now on, for those who are here, too. */
  configure(policy: PoolPolicy): void {
    this.#policy = policy;
    this.sweep();
  }

  /** Rejects every waiter, and ends the connects that nobody waits for then. */
  refuse(cause: PanelError): void {
    for (const waiter of this.#waiters.takeAll()) waiter.reject(cause);
    for (const session of this.#sessions.values()) if (session.kind === 'connecting') void session.end(cause);
  }

  /** Ends the session of that generation. Undefined when there is none (any more). */
  invalidate(generation: number, cause: Error): Promise<void> | undefined {
    return this.#all()
      .find((session) => session.generation === generation)
      ?.end(cause);
  }

  /** Ends what is idle for too long or too many, and lets waiters have what became idle unnoticed. */
  sweep(): void {
    const { idleTimeoutMs, maxSessions } = this.#policy;
    for (const session of this.#sessions.values()) {
      const idleMs = session.idleMs();
      if (idleMs !== undefined && idleMs >= idleTimeoutMs) {
        void session.end(new PanelError('SESSION_CLOSED', `The session was not used for ${idleMs} ms.`));
      }
    }
    let tooMany = this.#taken - this.#coming() - maxSessions;
    while (tooMany > 0 && this.#evict('there are more sessions than there may be')) tooMany -= 1;
    this.#makeRoom();
  }

  /** Rejects every waiter and ends every session with `cause`; resolves once all slots are free. */
  async close(cause: PanelError): Promise<void> {
    this.refuse(cause);
    await Promise.all(this.#all().map((session) => session.end(cause)));
  }

  #leave(waiter: Waiter<C>, cause: LeaveCause): void {
    if (!this.#waiters.remove(waiter)) return;
    const session = this.#sessions.get(waiter.slot);
    const isConnecting = session?.kind === 'connecting';
    waiter.rejectForLeaving(cause, isConnecting);
    if (isConnecting && !this.#waiters.has(waiter.slot)) {
      void session.end(new PanelError('CANCELLED', 'Nobody waits for this connection any more.'));
    }
  }

  #grant(session: Session<C>, connection: C, waiter: Waiter<C>): void {
    const lease: Lease<C> = {
      contextId: waiter.contextId,
      key: this.#options.key,
      generation: session.generation,
      connection,
      release: () => this.#options.change(() => this.#release(session, lease)),
    };
    session.addLease(lease);
    waiter.grant(lease);
  }

  #release(session: Session<C>, lease: object): void {
    session.removeLease(lease);
    this.#makeRoom();
  }

  /**
   * Starts a session for every slot that somebody waits for, first come first served, as far as there is room; then
   * makes room by ending idle sessions, the least recently used one first, and no more of them than are needed.
   */
  #makeRoom(): void {
    let free = this.#policy.maxSessions - this.#taken;
    let coming = this.#coming();
    for (const slot of this.#waiters.slots()) {
      const session = this.#sessions.get(slot);
      if (session?.kind === 'connecting') continue;
      if (!session && free > 0) {
        this.#open(slot);
        free -= 1;
        continue;
      }
      while (coming < 1 && this.#evict('another context needed the room')) coming += 1;
      if (coming < 1) return;
      coming -= 1;
    }
  }

  #open(slot: string): void {
    const waiter = this.#waiters.first(slot);
    if (!waiter) return;
    const options = this.#options;
    const generation = options.nextGeneration();
    const session = new Session<C>({
      slot,
      generation,
      clock: options.clock,
      closeTimeoutMs: () => this.#policy.closeTimeoutMs,
      connect: (signal) => options.connect(waiter.config, signal),
      change: (apply) => options.change(apply),
      onOpen: (opened) => this.#opened(opened),
      onFailed: (failed, error) => this.#failed(failed, error),
      onEnding: (ending) => this.#freeSlot(ending),
      onClosed: (closed) => this.#remove(closed),
      warn: (kind, error) => options.warn({ kind, error, key: options.key, generation }),
    });
    this.#sessions.set(slot, session);
  }

  #opened(session: Session<C>): void {
    const { connection } = session;
    if (!connection) return;
    for (const waiter of this.#waiters.take(session.slot)) this.#grant(session, connection, waiter);
  }

  /** All who waited for this attempt share its failure; the next caller tries again. */
  #failed(session: Session<C>, error: unknown): void {
    for (const waiter of this.#waiters.take(session.slot)) waiter.reject(error);
    this.#remove(session);
  }

  #freeSlot(session: Session<C>): void {
    this.#sessions.delete(session.slot);
    this.#ending.add(session);
  }

  #remove(session: Session<C>): void {
    if (!this.#ending.delete(session)) this.#sessions.delete(session.slot);
    this.#makeRoom();
  }

  /** Ends the idle session that was not used for longest. False when every open one is in use. */
  #evict(why: string): boolean {
    let victim: Session<C> | undefined;
    let longestMs = -1;
    for (const session of this.#sessions.values()) {
      const idleMs = session.idleMs();
      if (idleMs === undefined || idleMs <= longestMs) continue;
      victim = session;
      longestMs = idleMs;
    }
    void victim?.end(new PanelError('SESSION_CLOSED', `The session was idle, and ${why}.`));
    return victim !== undefined;
  }

  #all(): Session<C>[] {
    return [...this.#sessions.values(), ...this.#ending];
  }

  /** Room that is not free. */
  get #taken(): number {
    return this.#sessions.size + this.#ending.size;
  }

  /** Room that frees itself soon. */
  #coming(): number {
    return this.#all().filter(({ kind }) => kind === 'closing').length;
  }
}
