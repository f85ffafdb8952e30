import { PanelError } from '../../../../shared/error-codes.ts';
import type { ServerConfig } from '../../../../shared/server-config.ts';
import type { Lease } from '../../sessions/lease.ts';
import type { LeaseHolder, LeaseUse } from '../../sessions/lease-holder.ts';
import type { AcquireOptions } from '../../sessions/session-manager.ts';
import type { Slot } from '../../sessions/slot.ts';
import type { UpstreamLink } from '../../sessions/server-link.ts';
import type { MayStart } from '../../sessions/waiter.ts';
import type { SessionFacts } from '../types.ts';
import { callerOf, contextIdOf } from './context-id.ts';
import type { GatewayServer, RelayOptions } from './relay-options.ts';

export interface ClientHoldOptions extends Pick<
  RelayOptions,
  'sessions' | 'servers' | 'startOnDemand' | 'slotOf'
> {
  readonly facts: SessionFacts;
  /** What the session does with its lease. */
  readonly use: () => LeaseUse;
  /** Calls go to this slot from now on. Called before anything is sent there. */
  readonly onSlot: (slot: Slot) => void;
  /** Calls go over this link from now on. Called before the first of them. */
  readonly onLink: (link: UpstreamLink, config: ServerConfig) => void;
}

/** A session may end between the lease and the call; more ends in a row than this are no coincidence. */
const MAX_ACQUIRES = 3;

/** One client session's way to its server: one lease at a time, of the slot that its server's sharing asks for now. */
export class ClientHold {
  readonly #options: ClientHoldOptions;
  #lease: Lease | undefined;
  #slot: Slot | undefined;
  /** Another one each time that the lease is given back: who waits for one that was meant for before does not get it. */
  #term = {};
  #link: UpstreamLink | undefined;
  #isReleased = false;
  #isResting = false;
  readonly #holder: LeaseHolder;

  constructor(options: ClientHoldOptions) {
    this.#options = options;
    this.#holder = {
      caller: callerOf(options.facts),
      use: () => options.use(),
      // With what it subscribed to, one that lost its process would else take it back at once.
      givenUp: () => this.rest(),
    };
  }

  /** The slot of its server's sharing now. @throws as `current` */
  settleSlot(): void {
    this.#slotOf(this.#server());
  }

  /** The lease of a session that is open now, without any wait. @throws PanelError SERVER_UNKNOWN, SESSION_CLOSED once released */
  current(): Lease | undefined {
    const server = this.#server();
    return this.#open(server, this.#slotOf(server));
  }

  /** The same for whoever needs none now. */
  tryCurrent(): void {
    if (!this.#isReleased && !this.#isResting && this.#options.servers.find(this.#options.facts.server))
      this.current();
  }

  /**
   * `current`, or the lease that is waited for, for as long as the server's start may take.
   * @param mayStart by default what the settings say of calls
   * @throws PanelError as `SupervisedSessions.acquire`; SERVER_UNKNOWN, SESSION_CLOSED
   */
  async acquire(signal: AbortSignal, mayStart = this.#startOnDemand): Promise<Lease> {
    for (let attempt = 1; ; attempt += 1) {
      const server = this.#server();
      const slot = this.#slotOf(server);
      const open = this.#open(server, slot);
      if (open) return open;
      const term = this.#term;
      try {
        const lease = await this.#request(server, slot, { signal, mayStart });
        if (term === this.#term && (!lease.hasEnded || attempt === MAX_ACQUIRES))
          return this.#keep(lease, server);
        void lease.release();
      } catch (error) {
        // Another call has moved on to another slot: this one goes there, too.
        if (term === this.#term || this.#isReleased || attempt === MAX_ACQUIRES) throw error;
      }
    }
  }

  get isResting(): boolean {
    return this.#isResting;
  }

  /** Gives the lease back until the next call; the slot stays, and with it what its server was asked for. */
  rest(): void {
    this.#isResting = true;
    this.#drop();
  }

  /** A request came: it takes part again in what happens to its slot. */
  wake(): void {
    this.#isResting = false;
  }

  /** Idempotent. Calls under way go on. */
  release(): void {
    this.#isReleased = true;
    this.#drop();
  }

  get #startOnDemand(): MayStart {
    return this.#options.startOnDemand() ? 'unless-stopped' : false;
  }

  #server(): GatewayServer {
    if (this.#isReleased) throw new PanelError('SESSION_CLOSED', 'The session of this client is over.');
    const { servers, facts } = this.#options;
    const server = servers.find(facts.server);
    if (server) return server;
    throw new PanelError('SERVER_UNKNOWN', `There is no server "${facts.server}" any more.`, {
      remedy: 'Add it in MCP Control Panel, or remove it from the settings of this client.',
    });
  }

  /** What running a server has shown may change its slot; calls under way stay where they are. */
  #slotOf({ config }: GatewayServer): Slot {
    const { slotOf, facts, onSlot } = this.#options;
    const slot = slotOf(config, facts);
    if (this.#slot?.name === slot.name) return slot;
    this.#drop();
    this.#slot = slot;
    onSlot(slot);
    return slot;
  }

  #open(server: GatewayServer, slot: Slot): Lease | undefined {
    if (this.#lease && !this.#lease.hasEnded) return this.#lease;
    const { sessions, facts } = this.#options;
    const lease = sessions.tryAcquire(contextIdOf(facts), facts.server, slot, this.#holder);
    return lease && this.#keep(lease, server);
  }

  #request(
    { config }: GatewayServer,
    slot: Slot,
    options: Pick<AcquireOptions, 'signal' | 'mayStart'>,
  ): Promise<Lease> {
    const { sessions, facts } = this.#options;
    const deadlineMs = config.panel.startMaxMs;
    return sessions.acquire(contextIdOf(facts), facts.server, {
      ...options,
      slot,
      deadlineMs,
      holder: this.#holder,
    });
  }

  /** Several calls may have waited at once; the first lease stays, and the others are given back. */
  #keep(lease: Lease, server: GatewayServer): Lease {
    const former = this.#lease;
    if (former && !former.hasEnded) {
      void lease.release();
      return former;
    }
    void former?.release();
    this.#lease = lease;
    const { connection } = lease;
    if (connection !== this.#link && !lease.hasEnded) {
      this.#link = connection;
      this.#options.onLink(connection, server.config);
    }
    return lease;
  }

  #drop(): void {
    void this.#lease?.release();
    this.#lease = undefined;
    this.#link = undefined;
    this.#term = {};
  }
}
