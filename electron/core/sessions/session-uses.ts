import type { SessionView } from '../../../shared/sessions-view.ts';
import type { WallClock } from '../clock.ts';

/** How one context uses one session. */
export interface SessionUse {
  readonly contextId: string;
  /** Start of the context's first use, in epoch milliseconds. */
  readonly since: number;
  leases: number;
  calls: number;
  lastUseAt: number | undefined;
}

/** Maximum number of contexts per session that stay listed after the release of their leases; the oldest are removed first. */
const MAX_FORMER_USERS = 100;

/** Lists the contexts that use or have used one session, only for display. */
export class SessionUses {
  readonly #wallClock: WallClock;
  readonly #onChange: () => void;
  /** Uses by context, in order of arrival. */
  readonly #uses = new Map<string, SessionUse>();
  /** Number of listed contexts without a lease. */
  #formerUsers = 0;
  #lastUseAt: number;

  constructor(wallClock: WallClock, onChange: () => void) {
    this.#wallClock = wallClock;
    this.#onChange = onChange;
    this.#lastUseAt = wallClock.epochMs();
  }

  /** Number of listed contexts. */
  get size(): number {
    return this.#uses.size;
  }

  /** Time of the last use in epoch milliseconds; before the first use, the time at which the session opened. */
  get lastUseAt(): number {
    return this.#lastUseAt;
  }

  get isLeased(): boolean {
    return this.#uses.size > this.#formerUsers;
  }

  leased(contextId: string): SessionUse {
    const known = this.#uses.get(contextId);
    const since = this.#wallClock.epochMs();
    const use = known ?? { contextId, since, leases: 0, calls: 0, lastUseAt: undefined };
    if (!known) this.#uses.set(contextId, use);
    else if (known.leases === 0) this.#formerUsers -= 1;
    use.leases += 1;
    this.#onChange();
    return use;
  }

  /** Records the release of a lease; called once for each lease. */
  released(use: SessionUse): void {
    use.leases -= 1;
    if (use.leases === 0) this.#formerUsers += 1;
    if (this.#formerUsers > MAX_FORMER_USERS) this.#forgetOldest();
    this.#lastUseAt = this.#wallClock.epochMs();
    this.#onChange();
  }

  /** Records the start (1) or end (-1) of a call. */
  called(use: SessionUse, change: 1 | -1): void {
    use.calls += change;
    this.#lastUseAt = use.lastUseAt = this.#wallClock.epochMs();
    this.#onChange();
  }

  view(): SessionView['leases'] {
    return [...this.#uses.values()].map(({ contextId, since, calls, lastUseAt }) => ({
      contextId,
      since,
      callsInFlight: calls,
      ...(lastUseAt !== undefined && { lastUseAt }),
    }));
  }

  #forgetOldest(): void {
    for (const { contextId, leases } of this.#uses.values()) {
      if (leases > 0) continue;
      this.#uses.delete(contextId);
      this.#formerUsers -= 1;
      return;
    }
  }
}
