import { PanelError } from '../../../shared/error-codes.ts';
import type { ServerLease } from './server-lease.ts';
import type { AcquireOptions } from './session-manager.ts';

/** Where the leases come from, for one context, server and slot. */
export interface LeaseSource {
  readonly tryAcquire: () => ServerLease | undefined;
  readonly acquire: (options: Omit<AcquireOptions, 'mode' | 'slot'>) => Promise<ServerLease>;
}

/**
 * One context's hold on a slot of a server, for as long as the context lasts: a client's session goes on with it while
 * the server restarts below. It has one lease at a time, and takes the next one only when it is asked for; so a server
 * that nobody calls any more is not kept waiting for, and the caller says each time how long it waits and what may start.
 */
export class HeldLease {
  readonly #source: LeaseSource;
  #lease: ServerLease | undefined;
  #isReleased = false;

  constructor(source: LeaseSource) {
    this.#source = source;
  }

  /** The lease of a session that is open now, without any wait; undefined where only `acquire` can tell. @throws PanelError SERVER_UNKNOWN, SESSION_CLOSED once released */
  get current(): ServerLease | undefined {
    this.#checkHeld();
    if (this.#lease && !this.#lease.hasEnded) return this.#lease;
    const lease = this.#source.tryAcquire();
    return lease && this.#keep(lease);
  }

  /** `current`, or the lease that is waited for. @throws PanelError as `SupervisedSessions.acquire`, SESSION_CLOSED once released */
  async acquire(options: Omit<AcquireOptions, 'mode' | 'slot'> = {}): Promise<ServerLease> {
    return this.current ?? this.#keep(await this.#source.acquire(options));
  }

  /** Idempotent. Calls under way go on. */
  async release(): Promise<void> {
    this.#isReleased = true;
    await this.#lease?.release();
  }

  /** Several callers may have waited at once; the first lease stays, and the others are given back. */
  #keep(lease: ServerLease): ServerLease {
    const former = this.#lease;
    if (this.#isReleased || (former && !former.hasEnded)) void lease.release();
    this.#checkHeld();
    if (former && !former.hasEnded) return former;
    void former?.release();
    this.#lease = lease;
    return lease;
  }

  #checkHeld(): void {
    if (this.#isReleased) throw new PanelError('SESSION_CLOSED', 'The lease was released.');
  }
}
