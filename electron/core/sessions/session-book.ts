import type { SessionView } from '../../../shared/domain.ts';
import type { WallClock } from '../clock.ts';
import type { Lease } from './lease.ts';
import type { SupervisedConnection } from './supervised-connection.ts';

/** One context's use of one session; it stays listed when it is over, so that one sees who used the session. */
interface Use {
  readonly since: number;
  leases: number;
  calls: number;
  lastUseAt: number | undefined;
}

interface Entry {
  readonly server: string;
  readonly key: string;
  readonly connection: SupervisedConnection;
  readonly uses: Map<string, Use>;
  /** When it was last in use, once it was. */
  lastUseAt: number;
}

/** Contexts without a lease that stay listed per session; the oldest are forgotten first. */
const MAX_FORMER_USERS = 100;

export interface SessionBookOptions {
  readonly wallClock: WallClock;
  /** What is shown of a server's sessions has changed. */
  readonly onChange: (server: string) => void;
}

/** Who uses which session, for the window. It follows what the session manager does and decides nothing. */
export class SessionBook {
  readonly #options: SessionBookOptions;
  /** By generation. */
  readonly #entries = new Map<number, Entry>();

  constructor(options: SessionBookOptions) {
    this.#options = options;
  }

  /** Open sessions of all servers. */
  get size(): number {
    return this.#entries.size;
  }

  /** Notes a lease that was just granted. */
  leased(server: string, lease: Lease<SupervisedConnection>): LeaseRecord {
    const entry = this.#entries.get(lease.generation) ?? this.#open(server, lease);
    const use = this.#useOf(entry, lease.contextId);
    use.leases += 1;
    return this.#record(entry, use);
  }

  /** Which session manager key the open session of that generation has. */
  keyOf(server: string, generation: number): string | undefined {
    const entry = this.#entries.get(generation);
    return entry?.server === server ? entry.key : undefined;
  }

  /** Oldest first. */
  views(server: string, idleTimeoutMs: number): SessionView[] {
    return [...this.#entries]
      .filter(([, entry]) => entry.server === server)
      .map(([generation, entry]) => viewOf(generation, entry, idleTimeoutMs));
  }

  /** How many sessions are open, and how many users they list. */
  count(server: string): { readonly sessions: number; readonly leases: number } {
    const entries = [...this.#entries.values()].filter((entry) => entry.server === server);
    return { sessions: entries.length, leases: entries.reduce((sum, { uses }) => sum + uses.size, 0) };
  }

  #open(server: string, { generation, key, connection }: Lease<SupervisedConnection>): Entry {
    const entry = { server, key, connection, uses: new Map<string, Use>(), lastUseAt: this.#now() };
    this.#entries.set(generation, entry);
    void connection.closed.then(() => {
      this.#entries.delete(generation);
      this.#options.onChange(server);
    });
    return entry;
  }

  #useOf({ uses }: Entry, contextId: string): Use {
    const use = uses.get(contextId) ?? { since: this.#now(), leases: 0, calls: 0, lastUseAt: undefined };
    uses.set(contextId, use);
    return use;
  }

  #record(entry: Entry, use: Use): LeaseRecord {
    this.#options.onChange(entry.server);
    const touch = () => {
      entry.lastUseAt = this.#now();
      this.#options.onChange(entry.server);
    };
    return {
      callBegan: () => {
        use.calls += 1;
        use.lastUseAt = this.#now();
        touch();
      },
      callEnded: () => {
        use.calls -= 1;
        use.lastUseAt = this.#now();
        touch();
      },
      released: () => {
        use.leases -= 1;
        forgetOldest(entry.uses);
        touch();
      },
    };
  }

  #now(): number {
    return this.#options.wallClock.epochMs();
  }
}

/** What one lease reports of itself. */
export interface LeaseRecord {
  callBegan(): void;
  callEnded(): void;
  /** Once. */
  released(): void;
}

function forgetOldest(uses: Map<string, Use>): void {
  if (uses.size <= MAX_FORMER_USERS) return;
  const former = [...uses].filter(([, use]) => use.leases === 0);
  for (const [contextId] of former.slice(0, Math.max(0, former.length - MAX_FORMER_USERS)))
    uses.delete(contextId);
}

function viewOf(generation: number, entry: Entry, idleTimeoutMs: number): SessionView {
  const { connection, uses, lastUseAt } = entry;
  const { mode, instance, pid, openedAt } = connection;
  const isIdle = connection.pendingRequests === 0 && [...uses.values()].every(({ leases }) => leases === 0);
  return {
    generation,
    mode,
    instance,
    ...(pid !== undefined && { pid }),
    openedAt,
    leases: [...uses].map(([contextId, use]) => ({
      contextId,
      since: use.since,
      callsInFlight: use.calls,
      ...(use.lastUseAt !== undefined && { lastUseAt: use.lastUseAt }),
    })),
    ...(isIdle && { idleSince: lastUseAt, evictsAt: lastUseAt + idleTimeoutMs }),
  };
}
