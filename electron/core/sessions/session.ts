import { PanelError } from '../../../shared/error-codes.ts';
import type { SessionView } from '../../../shared/sessions-view.ts';
import type { Clock, WallClock } from '../clock.ts';
import { settlesWithin } from '../wait.ts';
import type { Lease, LeasedSession } from './lease.ts';
import { claimOf, type Claim, type LeaseHolder } from './lease-holder.ts';
import type { ServerLink } from './server-link.ts';
import { SessionUses } from './session-uses.ts';
import { modeOfSlot, type Slot } from './session-policy.ts';

/**
 * State of a session.
 *
 *   connecting ──connected──→ open ──end──→ closing ──ended──→ closed
 *       │  └──end (no waiter is left)──────────↑                  ↑
 *       └──failed─────────────────────────────────────────────────┘
 *
 * If the connection ends on its own, its session also ends through `closing`, so that its resources are released.
 */
type SessionState =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'open'; readonly connection: ServerLink }
  | { readonly kind: 'closing' | 'closed' };

/** Kinds of errors that no caller waits for. */
type WarningKind =
  /**
   * A teardown took longer than `closeTimeoutMs`, so the session no longer counts toward the limit. `error` is the reason why
   * the session was ended.
   */
  | 'teardown-late'
  /** Closing a connection failed. */
  | 'teardown-failed'
  /** A connection did not report whether it is in use, so it counts as in use. */
  | 'idle-check-failed'
  /** A sweep failed; the next one takes place nevertheless. */
  | 'sweep-failed';

export interface SessionWarning {
  readonly kind: WarningKind;
  readonly error: unknown;
  readonly key: string;
  /** Generation of the session; undefined if the warning does not concern a particular session. */
  readonly generation?: number;
}

interface SessionOptions {
  /** Identity of the server that the session reaches (connection and tenant), as computed by `serverKey`. */
  readonly key: string;
  /** Slot of the session. Each slot of a key has at most one session at a time. */
  readonly slot: Slot;
  readonly generation: number;
  readonly clock: Clock;
  readonly wallClock: WallClock;
  /** Returns the time limit of the teardown in ms. Called when the teardown begins, because the settings may have changed. */
  readonly closeTimeoutMs: () => number;
  readonly connect: (signal: AbortSignal) => Promise<ServerLink>;
  /** Runs `apply` when its turn in the queue of this session's key comes. All callbacks below run within the queue. */
  readonly change: (apply: () => void) => Promise<void>;
  readonly onOpen: (session: Session) => void;
  /** Called when the connect has failed and the session is closed. */
  readonly onFailed: (session: Session, error: unknown) => void;
  /** Called when the connection begins to close. From then on, no leases of this session are given out. */
  readonly onEnding: (session: Session) => void;
  /** Called when the session is closed and no longer counts toward `maxSessions`. */
  readonly onClosed: (session: Session) => void;
  /** Called when something that the window shows about this session has changed. */
  readonly onChange: () => void;
  /** Called when the session is ended to make room for another context, so that `contextId` loses its lease. */
  readonly onGivenUp: (contextId: string, idleMs: number) => void;
  readonly warn: (kind: WarningKind, error: unknown) => void;
}

/** One connection to a server, from the attempt to connect to its end, with the contexts that use it. */
export class Session implements LeasedSession {
  readonly key: string;
  readonly slot: Slot;
  readonly generation: number;
  readonly uses: SessionUses;
  readonly #options: SessionOptions;
  readonly #connecting = new AbortController();
  readonly #attempt: Promise<ServerLink>;
  /** Leases with their holders; undefined for a lease without a holder. */
  readonly #leases = new Map<Lease, LeaseHolder | undefined>();
  #state: SessionState = { kind: 'connecting' };
  #teardown: Promise<void> | undefined;
  /**
   * Monotonic time of the last release of a lease. The initial value is never used, because a session is leased when it opens.
   */
  #idleSinceMs = 0;
  /**
   * True after the session was found to have pending requests but no lease. Nothing reports the end of such requests, so the
   * idle time starts at the next check that finds none.
   */
  #wasBusy = false;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.key = options.key;
    this.slot = options.slot;
    this.generation = options.generation;
    this.uses = new SessionUses(options.wallClock, options.onChange);
    this.#attempt = this.#connect();
    this.#attempt.then(
      (connection) => options.change(() => this.#connected(connection)),
      (error: unknown) => options.change(() => this.#failed(error)),
    );
  }

  get kind(): SessionState['kind'] {
    return this.#state.kind;
  }
  /** The connection of an open session; undefined in every other state. */
  get connection(): ServerLink | undefined {
    return this.#state.kind === 'open' ? this.#state.connection : undefined;
  }

  /**
   * True if a lease has a holder. A holder's session may become available without an event, because the holder just stops
   * calling.
   */
  get hasHolder(): boolean {
    return [...this.#leases.values()].some((holder) => holder !== undefined);
  }

  addLease(lease: Lease, holder: LeaseHolder | undefined): void {
    this.#leases.set(lease, holder);
  }

  /** Removes a lease. Has no effect if the lease was removed before or the session has ended. */
  removeLease(lease: Lease): void {
    if (!this.#leases.delete(lease)) return;
    this.#idleSinceMs = this.#options.clock.now();
    this.#wasBusy = this.#isBusy();
  }

  /** Milliseconds since the last use; undefined while the session is leased, has a pending request, or is not open. */
  idleMs(): number | undefined {
    if (this.#state.kind !== 'open' || this.#leases.size > 0) return undefined;
    if (this.#isBusy()) {
      this.#wasBusy = true;
      return undefined;
    }
    if (this.#wasBusy) {
      this.#wasBusy = false;
      this.#idleSinceMs = this.#options.clock.now();
    }
    return this.#options.clock.now() - this.#idleSinceMs;
  }

  /** Returns the state of the session for a context that waits for a session to be ended. @param patienceMs as `claimOf` */
  claim(patienceMs: number): Claim {
    const idleMs = this.idleMs();
    if (idleMs !== undefined) return { kind: 'free', idleMs };
    if (this.#state.kind !== 'open' || this.#leases.size === 0) return { kind: 'in-use', isListening: false };
    return claimOf(
      [...this.#leases.values()].map((holder) => holder?.use()),
      patienceMs,
    );
  }

  /** Tells the holders that the session is being ended so that another context gets a session. */
  giveUp(): void {
    for (const [{ contextId }, holder] of this.#leases) {
      if (!holder) continue;
      if (modeOfSlot(this.slot) === 'exclusive') this.#options.onGivenUp(contextId, holder.use().quietMs);
      holder.givenUp();
    }
  }

  /** Returns the view for the window; undefined without a connection. @param idleTimeoutMs the current setting */
  view(idleTimeoutMs: number): SessionView | undefined {
    const { connection, generation, slot } = this;
    if (!connection || connection.hasEnded) return undefined;
    const { instance, pid, openedAt } = connection.serving;
    const { lastUseAt, isLeased } = this.uses;
    const isIdle = connection.pendingRequests === 0 && !isLeased;
    return {
      generation,
      mode: modeOfSlot(slot),
      instance,
      ...(pid !== undefined && { pid }),
      openedAt,
      leases: this.uses.view(),
      ...(isIdle && { idleSince: lastUseAt, evictsAt: lastUseAt + idleTimeoutMs }),
    };
  }

  /**
   * Ends the session: cancels the connect or closes the connection. Must not be called for a session whose connect has failed.
   * Only the cause of the first call is used, and every call returns the same promise. It resolves when the session no longer
   * counts toward the limit, after `closeTimeoutMs` at the latest.
   */
  end(cause: Error): Promise<void> {
    return (this.#teardown ??= this.#tearDown(cause));
  }

  // Async, so that a synchronous exception of `connect` becomes a rejection.
  async #connect(): Promise<ServerLink> {
    return this.#options.connect(this.#connecting.signal);
  }

  #connected(connection: ServerLink): void {
    // A connect that was cancelled may still complete later. The teardown then closes its connection, so nothing is done here.
    if (this.#state.kind !== 'connecting') return;
    this.#state = { kind: 'open', connection };
    const cause = new PanelError('SESSION_CLOSED', 'The connection ended on its own.');
    const lost = () => {
      this.#options.onChange();
      void this.#options.change(() => void this.end(cause));
    };
    connection.closed.then(lost, lost);
    this.#options.onOpen(this);
  }

  #failed(error: unknown): void {
    if (this.#state.kind !== 'connecting') return;
    this.#state = { kind: 'closed' };
    this.#options.onFailed(this, error);
  }

  async #tearDown(cause: Error): Promise<void> {
    const { clock, closeTimeoutMs } = this.#options;
    const connection = this.connection;
    this.#state = { kind: 'closing' };
    if (connection) this.#options.onEnding(this);
    const work = connection ? closeOf(connection) : this.#abandonConnect(cause);
    work.catch((error: unknown) => this.#options.warn('teardown-failed', error));
    const isInTime = await settlesWithin(clock, work, closeTimeoutMs());
    if (!isInTime) this.#options.warn('teardown-late', cause);
    await this.#options.change(() => {
      this.#state = { kind: 'closed' };
      this.#options.onClosed(this);
    });
  }

  /** Cancels the connect, and closes the connection if it is opened nevertheless, however late. */
  #abandonConnect(cause: Error): Promise<void> {
    this.#connecting.abort(cause);
    return this.#attempt.then(closeOf, () => undefined);
  }

  /** True if the connection is in use, or cannot report whether it is. */
  #isBusy(): boolean {
    try {
      return (this.connection?.pendingRequests ?? 0) > 0;
    } catch (error) {
      this.#options.warn('idle-check-failed', error);
      return true;
    }
  }
}

// Async, so that a synchronous exception of `close` becomes a rejection.
async function closeOf(connection: ServerLink): Promise<void> {
  await connection.close();
}
