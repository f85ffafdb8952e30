import { PanelError } from '../../../shared/error-codes.ts';
import type { ServerConfig } from '../../../shared/server-config.ts';
import type { Clock, Disposable, WallClock } from '../clock.ts';
import { Lease, type LeaseUser } from './lease.ts';
import { longest, noRoom, leaseRefusal } from './lease-holder.ts';
import type { ServerLink } from './server-link.ts';
import type { PoolPolicy, Slot, SlotName } from './session-policy.ts';
import { Session, type SessionWarning } from './session.ts';
import { WaiterQueue, type LeaveCause, type MayStart, type Waiter } from './waiter.ts';

/** Milliseconds between checks while a context waits for room, because a holder may become idle without an event. */
const LOOK_MS = 100;

/** Describes the session that a connect is for. */
export interface ConnectPurpose {
  /** `serverKey` of the configuration. */
  readonly key: string;
  readonly slot: Slot;
  /** Generation of the new session. */
  readonly generation: number;
  /** The broadest permission to start the server that any of the waiters has when the connect begins. */
  readonly mayStart: MayStart;
}

export interface ServerSessionsOptions {
  readonly key: string;
  readonly clock: Clock;
  readonly wallClock: WallClock;
  readonly connect: (
    config: ServerConfig,
    signal: AbortSignal,
    purpose: ConnectPurpose,
  ) => Promise<ServerLink>;
  readonly nextGeneration: () => number;
  /**
   * Runs `apply` when the queue of this key reaches it. All methods of `ServerSessions` except the constructor run within the
   * queue.
   */
  readonly change: (apply: () => void) => Promise<void>;
  /** Called when the sessions that are shown for this server have changed. */
  readonly onChange: (server: string) => void;
  readonly onGivenUp: (server: string, contextId: string, idleMs: number) => void;
  readonly warn: (warning: SessionWarning) => void;
}

/**
 * The sessions of one key, and the callers that wait for them. Contexts with the same slot share its session. A session counts
 * for the limit from its connect until its teardown has ended. It gives up its slot when the teardown begins, so that the next
 * session need not wait for it. The exception is a connect that is being cancelled, because only one connect runs at a time.
 */
export class ServerSessions {
  readonly #options: ServerSessionsOptions;
  /** Sessions with a slot, by the slot's name. */
  readonly #sessions = new Map<SlotName, Session>();
  /** Sessions in teardown. They have lost their slot, but still count for the limit of sessions. */
  readonly #ending = new Set<Session>();
  readonly #waiters = new WaiterQueue();
  #policy: PoolPolicy;
  #nextLook: Disposable | undefined;

  constructor(options: ServerSessionsOptions, policy: PoolPolicy) {
    this.#options = options;
    this.#policy = policy;
  }

  get isEmpty(): boolean {
    return this.#taken === 0 && this.#waiters.isEmpty;
  }

  /** Gives the caller its lease immediately, or puts it in the queue. Applies `policy` from now on. */
  enter(waiter: Waiter, policy: PoolPolicy): void {
    this.#policy = policy;
    const session = this.#sessions.get(waiter.slot.name);
    if (session?.connection) return waiter.grant(this.#lease(session, session.connection, waiter));
    this.#waiters.add(waiter);
    waiter.onLeave((cause) => void this.#options.change(() => this.#leave(waiter, cause)));
    if (session?.kind !== 'connecting') this.#makeRoom();
  }

  /** Returns a lease of the slot's session if that session is open. Applies `policy` from now on. */
  tryEnter(user: LeaseUser, slot: SlotName, policy: PoolPolicy): Lease | undefined {
    this.#policy = policy;
    const session = this.#sessions.get(slot);
    const connection = session?.connection;
    return connection && !connection.hasEnded ? this.#lease(session, connection, user) : undefined;
  }

  /** Applies `policy` from now on, including to existing sessions and waiters. */
  configure(policy: PoolPolicy): void {
    this.#policy = policy;
    this.sweep();
  }

  /** Rejects every waiter, and cancels each connect that no longer has any waiters. */
  refuse(cause: PanelError): void {
    this.#stopLooking();
    for (const waiter of this.#waiters.takeAll()) waiter.reject(cause);
    for (const session of this.#sessions.values()) if (session.kind === 'connecting') void session.end(cause);
  }

  /** Sessions with an open connection, the oldest first. */
  get open(): readonly Session[] {
    return [...this.#sessions.values()].filter(({ connection }) => connection?.hasEnded === false);
  }

  /** Ends the session of that generation. Returns undefined if there is no such session. */
  invalidate(generation: number, cause: Error): Promise<void> | undefined {
    return this.#all()
      .find((session) => session.generation === generation)
      ?.end(cause);
  }

  /** Ends sessions that are idle for too long or exceed the limit, and serves waiters from sessions that became idle. */
  sweep(): void {
    const { idleTimeoutMs, maxSessions } = this.#policy;
    for (const session of this.#sessions.values()) {
      const idleMs = session.idleMs();
      if (idleMs !== undefined && idleMs >= idleTimeoutMs) {
        void session.end(new PanelError('SESSION_CLOSED', `The session was not used for ${idleMs} ms.`));
      }
    }
    let tooMany = this.#taken - this.#coming() - maxSessions;
    while (tooMany > 0 && this.#end(this.#longestIdle(), 'the limit of sessions is exceeded')) tooMany -= 1;
    this.#makeRoom();
  }

  /** Rejects every waiter and ends every session with `cause`; resolves once all slots are free. */
  async close(cause: PanelError): Promise<void> {
    this.refuse(cause);
    await Promise.all(this.#all().map((session) => session.end(cause)));
  }

  #leave(waiter: Waiter, cause: LeaveCause): void {
    if (!this.#waiters.remove(waiter)) return;
    if (this.#waiters.isEmpty) this.#stopLooking();
    const slot = waiter.slot.name;
    const session = this.#sessions.get(slot);
    const isConnecting = session?.kind === 'connecting';
    waiter.rejectForLeaving(cause, isConnecting);
    if (isConnecting && !this.#waiters.has(slot)) {
      void session.end(new PanelError('CANCELLED', 'No caller is waiting for this connection.'));
    }
  }

  #lease(session: Session, connection: ServerLink, user: LeaseUser): Lease {
    const lease = new Lease(session, connection, user, () =>
      this.#options.change(() => this.#release(session, lease)),
    );
    session.addLease(lease, user.holder);
    return lease;
  }

  #release(session: Session, lease: Lease): void {
    session.removeLease(lease);
    this.#makeRoom();
  }

  /**
   * Starts a session for every slot with waiters, in order of arrival, while there is room. For the remaining slots it ends
   * idle sessions, the least recently used first, and no more than needed.
   */
  #makeRoom(): void {
    this.#stopLooking();
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
      while (coming < 1 && this.#giveUpOne()) coming += 1;
      if (coming < 1) return this.#waitForRoom();
      coming -= 1;
    }
  }

  /**
   * Immediately rejects waiters that have no prospect of a session. Otherwise schedules another check if needed, because the
   * end of a holder's call is not reported.
   */
  #waitForRoom(): void {
    const claims = this.#claims();
    const refusal = leaseRefusal(claims.map(({ claim }) => claim));
    const isHeld = claims.some(({ session }) => session.hasHolder) || this.#waiters.hasHolder;
    if (!refusal) return isHeld ? this.#lookAgain() : undefined;
    const slots = this.#waiters.slots().filter((slot) => this.#sessions.get(slot)?.kind !== 'connecting');
    for (const waiter of slots.flatMap((slot) => this.#waiters.take(slot)))
      waiter.reject(noRoom(waiter.config.name, refusal, this.#policy.maxSessions));
  }

  #lookAgain(): void {
    const { clock, change } = this.#options;
    this.#nextLook = clock.setTimeout(() => void change(() => this.#makeRoom()), LOOK_MS);
  }

  #stopLooking(): void {
    this.#nextLook?.dispose();
    this.#nextLook = undefined;
  }

  #open(slot: SlotName): void {
    const waiter = this.#waiters.first(slot);
    if (!waiter) return;
    const options = this.#options;
    const { key } = options;
    const generation = options.nextGeneration();
    const mayStart = this.#waiters.mayStart(slot);
    const purpose: ConnectPurpose = { key, slot: waiter.slot, generation, mayStart };
    const { name } = waiter.config;
    const session = new Session({
      key,
      slot: waiter.slot,
      generation,
      clock: options.clock,
      wallClock: options.wallClock,
      closeTimeoutMs: () => this.#policy.closeTimeoutMs,
      connect: (signal) => options.connect(waiter.config, signal, purpose),
      change: (apply) => options.change(apply),
      onOpen: (opened) => this.#opened(opened),
      onFailed: (failed, error) => this.#failed(failed, error),
      onEnding: (ending) => this.#freeSlot(ending),
      onClosed: (closed) => this.#remove(closed),
      onChange: () => options.onChange(name),
      onGivenUp: (contextId, idleMs) => options.onGivenUp(name, contextId, idleMs),
      warn: (kind, error) => options.warn({ kind, error, key, generation }),
    });
    this.#sessions.set(slot, session);
  }

  #opened(session: Session): void {
    const { connection } = session;
    if (!connection) return;
    for (const waiter of this.#waiters.take(session.slot.name))
      waiter.grant(this.#lease(session, connection, waiter));
  }

  /** Rejects all waiters of the failed connect. The next caller starts a new attempt. */
  #failed(session: Session, error: unknown): void {
    for (const waiter of this.#waiters.take(session.slot.name)) waiter.reject(error);
    this.#remove(session);
  }

  #freeSlot(session: Session): void {
    this.#sessions.delete(session.slot.name);
    this.#ending.add(session);
  }

  #remove(session: Session): void {
    if (!this.#ending.delete(session)) this.#sessions.delete(session.slot.name);
    this.#makeRoom();
  }

  #claims() {
    const { idleTimeoutMs } = this.#policy;
    return [...this.#sessions.values()].map((session) => ({ session, claim: session.claim(idleTimeoutMs) }));
  }

  /** Ends the least recently used session that may be ended for another context. Returns false if there is none. */
  #giveUpOne(): boolean {
    const free = this.#claims().flatMap(({ session, claim }) =>
      claim.kind === 'free' ? [{ session, idleMs: claim.idleMs }] : [],
    );
    const victim = longest(free)?.session;
    victim?.giveUp();
    return this.#end(victim, 'another context needed its place');
  }

  #longestIdle(): Session | undefined {
    return longest(
      [...this.#sessions.values()].flatMap((session) => {
        const idleMs = session.idleMs();
        return idleMs === undefined ? [] : [{ session, idleMs }];
      }),
    )?.session;
  }

  /** Ends the session. Returns false if `session` is undefined. */
  #end(session: Session | undefined, why: string): boolean {
    void session?.end(new PanelError('SESSION_CLOSED', `The session was idle, and ${why}.`));
    return session !== undefined;
  }

  #all(): Session[] {
    return [...this.#sessions.values(), ...this.#ending];
  }

  /** Number of sessions that count for the limit. */
  get #taken(): number {
    return this.#sessions.size + this.#ending.size;
  }

  /** Number of sessions that are closing and will soon not count for the limit. */
  #coming(): number {
    return this.#all().filter(({ kind }) => kind === 'closing').length;
  }
}
