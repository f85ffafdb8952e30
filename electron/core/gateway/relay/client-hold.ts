import { PanelError } from '../../../../shared/error-codes.ts';
import type { ServerConfig } from '../../../../shared/server-config.ts';
import type { LeaseHolder, LeaseUse } from '../../sessions/lease-holder.ts';
import type { Slot } from '../../sessions/slot.ts';
import type { UpstreamLink } from '../../sessions/supervised-link.ts';
import type { MayStart } from '../../sessions/waiter.ts';
import type { SessionFacts } from '../types.ts';
import { callerOf, contextIdOf } from './context-id.ts';
import type { GatewayServer, Hold, RelayLease, RelayOptions } from './relay-options.ts';

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
  #hold: Hold | undefined;
  #slot: string | undefined;
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
    this.#holdOf(this.#server());
  }

  /** The lease of a session that is open now, without any wait. @throws PanelError SERVER_UNKNOWN, SESSION_CLOSED once released */
  current(): RelayLease | undefined {
    const server = this.#server();
    const lease = this.#holdOf(server).current;
    return lease && this.#used(lease, server);
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
  async acquire(signal: AbortSignal, mayStart = this.#startOnDemand): Promise<RelayLease> {
    for (let attempt = 1; ; attempt += 1) {
      const server = this.#server();
      const hold = this.#holdOf(server);
      try {
        const lease = await hold.acquire({
          signal,
          mayStart,
          deadlineMs: server.config.panel.startMaxMs,
        });
        if (!lease.hasEnded) return this.#used(lease, server);
        if (attempt === MAX_ACQUIRES) return lease;
      } catch (error) {
        // Another call has moved on to another slot, and released the hold that this one waited for.
        if (hold === this.#hold || this.#isReleased || attempt === MAX_ACQUIRES) throw error;
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
  #holdOf({ config }: GatewayServer): Hold {
    const { sessions, slotOf, facts, onSlot } = this.#options;
    const slot = slotOf(config, facts);
    if (this.#hold && this.#slot === slot.name) return this.#hold;
    this.#drop();
    if (this.#slot !== slot.name) {
      this.#slot = slot.name;
      onSlot(slot);
    }
    return (this.#hold = sessions.hold(contextIdOf(facts), facts.server, slot, this.#holder));
  }

  #used(lease: RelayLease, server: GatewayServer): RelayLease {
    const { link } = lease;
    if (link === this.#link) return lease;
    this.#link = link;
    this.#options.onLink(link, server.config);
    return lease;
  }

  #drop(): void {
    void this.#hold?.release();
    this.#hold = undefined;
    this.#link = undefined;
  }
}
