import { PanelError } from '../../../shared/error-codes.ts';
import type { SessionView } from '../../../shared/domain.ts';
import type { Clock, WallClock } from '../clock.ts';
import { settlesWithin } from '../wait.ts';
import type { Lease, LeasedSession } from './lease.ts';
import { claimOf, type Claim, type LeaseHolder } from './lease-holder.ts';
import type { ServerLink } from './server-link.ts';
import { SessionUses } from './session-uses.ts';
import { modeOfSlot, type Slot } from './session-policy.ts';

/**
 * What a session is doing.
 *
 *   connecting ──connected──→ open ──end──→ closing ──ended──→ closed
 *       │  └──end (nobody waits any more)──────↑                  ↑
 *       └──failed─────────────────────────────────────────────────┘
 *
 * A connection that ends by itself ends its session like everything else, so that what it still holds is released.
 */
export type SessionState =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'open'; readonly connection: ServerLink }
  | { readonly kind: 'closing'; readonly cause: Error }
  | { readonly kind: 'closed' };

export type SessionEvent =
  | { readonly kind: 'connected'; readonly connection: ServerLink }
  | { readonly kind: 'failed' }
  | { readonly kind: 'end'; readonly cause: Error }
  | { readonly kind: 'ended' };

/** Next state, or the same object when `event` means nothing in `state`: a late answer to an abandoned connect. */
function nextSessionState(state: SessionState, event: SessionEvent): SessionState {
  switch (state.kind) {
    case 'connecting':
      if (event.kind === 'connected') return { kind: 'open', connection: event.connection };
      if (event.kind === 'failed') return { kind: 'closed' };
      return event.kind === 'end' ? { kind: 'closing', cause: event.cause } : state;
    case 'open':
      return event.kind === 'end' ? { kind: 'closing', cause: event.cause } : state;
    case 'closing':
      return event.kind === 'ended' ? { kind: 'closed' } : state;
    case 'closed':
      return state;
  }
}

/** What went wrong without anybody waiting for it. */
export type WarningKind =
  /** A teardown took longer than `closeTimeoutMs`; its room is used again all the same. The error is why it was ended. */
  | 'teardown-late'
  /** Closing a connection failed. */
  | 'teardown-failed'
  /** A connection did not say whether it is in use; it counts as used. */
  | 'idle-check-failed'
  /** A sweep failed; the next one comes all the same. */
  | 'sweep-failed';

export interface SessionWarning {
  readonly kind: WarningKind;
  readonly error: unknown;
  readonly key: string;
  /** Absent when the warning is about no session in particular. */
  readonly generation?: number;
}

export interface SessionOptions {
  /** `serverKey` of the configuration. */
  readonly key: string;
  /** One slot of a key has one session at a time. */
  readonly slot: Slot;
  readonly generation: number;
  readonly clock: Clock;
  readonly wallClock: WallClock;
  /** The limit of the teardown; asked when that begins, because the settings may have changed. */
  readonly closeTimeoutMs: () => number;
  readonly connect: (signal: AbortSignal) => Promise<ServerLink>;
  /** Runs `apply` when it is this key's turn; all calls below come from within. */
  readonly change: (apply: () => void) => Promise<void>;
  readonly onOpen: (session: Session) => void;
  /** The connect failed; the session is closed. */
  readonly onFailed: (session: Session, error: unknown) => void;
  /** The connection is being closed, and nobody gets it any more. */
  readonly onEnding: (session: Session) => void;
  /** The session is closed and takes up no room any more. */
  readonly onClosed: (session: Session) => void;
  /** What is shown of it has changed. */
  readonly onChange: () => void;
  /** Its process is given to another context; the lease of this one is lost. */
  readonly onGivenUp: (contextId: string, idleMs: number) => void;
  readonly warn: (kind: WarningKind, error: unknown) => void;
}

/** One connection from its connect to its end, and who uses it. */
export class Session implements LeasedSession {
  readonly uses: SessionUses;
  readonly #options: SessionOptions;
  readonly #connecting = new AbortController();
  readonly #attempt: Promise<ServerLink>;
  /** Leases, with who holds them where that is known. */
  readonly #leases = new Map<Lease, LeaseHolder | undefined>();
  #state: SessionState = { kind: 'connecting' };
  #teardown: Promise<void> | undefined;
  /** The time of the last release. It needs no start value, because a session is leased when it opens. */
  #idleSinceMs = 0;
  /** It was seen busy without a lease: the end of that is not reported, so the next look that finds it idle counts. */
  #wasBusy = false;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.uses = new SessionUses(options.wallClock, options.onChange);
    this.#attempt = this.#connect();
    this.#attempt.then(
      (connection) => options.change(() => this.#connected(connection)),
      (error: unknown) => options.change(() => this.#failed(error)),
    );
  }

  get key(): string {
    return this.#options.key;
  }
  get slot(): Slot {
    return this.#options.slot;
  }
  get generation(): number {
    return this.#options.generation;
  }
  get kind(): SessionState['kind'] {
    return this.#state.kind;
  }
  /** The connection of an open session; undefined in every other state. */
  get connection(): ServerLink | undefined {
    return this.#state.kind === 'open' ? this.#state.connection : undefined;
  }

  /** Whether one who may leave it without telling holds it. */
  get hasHolder(): boolean {
    return [...this.#leases.values()].some((holder) => holder !== undefined);
  }

  addLease(lease: Lease, holder: LeaseHolder | undefined): void {
    this.#leases.set(lease, holder);
  }

  /** A lease that is not held, or whose session has ended, changes nothing. */
  removeLease(lease: Lease): void {
    if (!this.#leases.delete(lease)) return;
    this.#idleSinceMs = this.#options.clock.now();
    this.#wasBusy = this.#isBusy();
  }

  /** How long nobody has used it; undefined while it is leased, has a request pending, or is not open. */
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

  /** What becomes of it when somebody waits for its room. @param patienceMs as `claimOf` */
  claim(patienceMs: number): Claim {
    const idleMs = this.idleMs();
    if (idleMs !== undefined) return { kind: 'free', idleMs };
    if (this.#state.kind !== 'open' || this.#leases.size === 0) return { kind: 'in-use', isListening: false };
    return claimOf(
      [...this.#leases.values()].map((holder) => holder?.use()),
      patienceMs,
    );
  }

  /** Those who hold it are told that it ends for another one. */
  giveUp(): void {
    for (const [{ contextId }, holder] of this.#leases) {
      if (!holder) continue;
      if (modeOfSlot(this.slot) === 'exclusive') this.#options.onGivenUp(contextId, holder.use().quietMs);
      holder.givenUp();
    }
  }

  /** Undefined while there is no connection. @param idleTimeoutMs the setting that is in force */
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
   * Cancels the connect or closes the connection; not for a session whose connect has failed. The first cause wins;
   * every call gets the same promise, which resolves once its room is free: after `closeTimeoutMs` at the latest.
   */
  end(cause: Error): Promise<void> {
    return (this.#teardown ??= this.#tearDown(cause));
  }

  // This is async because a connect that throws is to reject.
  async #connect(): Promise<ServerLink> {
    return this.#options.connect(this.#connecting.signal);
  }

  #connected(connection: ServerLink): void {
    if (!this.#apply({ kind: 'connected', connection })) return;
    const cause = new PanelError('SESSION_CLOSED', 'The connection ended by itself.');
    const lost = () => {
      this.#options.onChange();
      void this.#options.change(() => void this.end(cause));
    };
    connection.closed.then(lost, lost);
    this.#options.onOpen(this);
  }

  #failed(error: unknown): void {
    if (this.#apply({ kind: 'failed' })) this.#options.onFailed(this, error);
  }

  async #tearDown(cause: Error): Promise<void> {
    const { clock, closeTimeoutMs } = this.#options;
    const connection = this.connection;
    this.#apply({ kind: 'end', cause });
    if (connection) this.#options.onEnding(this);
    const work = connection ? closeOf(connection) : this.#abandonConnect(cause);
    work.catch((error: unknown) => this.#options.warn('teardown-failed', error));
    const isInTime = await settlesWithin(clock, work, closeTimeoutMs());
    if (!isInTime) this.#options.warn('teardown-late', cause);
    await this.#options.change(() => {
      this.#apply({ kind: 'ended' });
      this.#options.onClosed(this);
    });
  }

  /** A connect that succeeds all the same, however late, leaves no connection behind. */
  #abandonConnect(cause: Error): Promise<void> {
    this.#connecting.abort(cause);
    return this.#attempt.then(closeOf, () => undefined);
  }

  /** Applies the event. Returns false when it came too late to mean anything. */
  #apply(event: SessionEvent): boolean {
    const before = this.#state;
    this.#state = nextSessionState(before, event);
    return this.#state !== before;
  }

  /** A connection that cannot tell is left alone. */
  #isBusy(): boolean {
    try {
      return (this.connection?.pendingRequests ?? 0) > 0;
    } catch (error) {
      this.#options.warn('idle-check-failed', error);
      return true;
    }
  }
}

// This is async because a close that throws is to reject.
async function closeOf(connection: ServerLink): Promise<void> {
  await connection.close();
}
