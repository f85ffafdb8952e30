import { PanelError } from '../../../../shared/error-codes.ts';
import type { ServerConfig } from '../../../../shared/server-config.ts';
import { serverKeys } from '../../config/server-key.ts';
import type { InitializeResponse } from '../../mcp/handshake.ts';
import type { LeaseHolder, LeaseUse } from '../../sessions/lease-holder.ts';
import type { Lease } from '../../sessions/lease.ts';
import { modeOfSlot, ownSlot } from '../../sessions/session-policy.ts';
import type { MayStart } from '../../sessions/waiter.ts';
import { catalogueKey, type CatalogueList } from '../catalogue/catalogue.ts';
import { seenGreeting } from '../agreed/agreed-offer.ts';
import { contextIdOf, type SessionFacts } from '../types.ts';
import { callerOf } from '../upstream/callers-in-flight.ts';
import { changedListOf, type ChangedList } from '../upstream/fan-out.ts';
import type { EndTurn } from '../upstream/turn-line.ts';
import type { SessionWishes, Upstream, UpstreamSession } from '../upstream/upstream.ts';
import type { Upstreams } from '../upstream/upstreams.ts';
import type { ClientSessionsOptions, GatewayServer } from './options.ts';

/** The parts of a session that `ServerAccess` needs. */
export interface AccessingSession extends UpstreamSession {
  /** How the session uses its lease at present. */
  readonly use: LeaseUse;
}

/** Configuration, upstream and sharing that apply to the session now. */
export interface Settled {
  readonly config: ServerConfig;
  readonly upstream: Upstream;
  /** True if the server answers one call at a time, so that tool calls wait for their turn. */
  readonly answersInTurn: boolean;
}

/** Maximum attempts to take a lease; several, because a session may end between the lease and the call. */
const MAX_ACQUIRES = 3;

/**
 * One client session's access to its server. It has one lease at a time, in the slot that the server's sharing requires now.
 * While the server is down, it uses the stored lists. The client session survives a restart of the server, because the next
 * lease is taken when it is needed.
 */
export class ServerAccess {
  readonly #options: ClientSessionsOptions;
  readonly #upstreams: Upstreams;
  readonly #session: AccessingSession;
  readonly #facts: SessionFacts;
  readonly #holder: LeaseHolder;
  readonly #keyOf = serverKeys();
  #upstream: Upstream | undefined;
  #lease: Lease | undefined;
  /** Replaced when the lease is dropped. A caller that began to wait before that does not keep the lease that it gets. */
  #term = {};
  #isReleased = false;
  #isResting = false;

  constructor(options: ClientSessionsOptions, upstreams: Upstreams, session: AccessingSession) {
    this.#options = options;
    this.#upstreams = upstreams;
    this.#session = session;
    this.#facts = session.facts;
    this.#holder = {
      caller: callerOf(session.facts),
      use: () => session.use,
      // Without this rest, a session with subscriptions would take a process back immediately after losing it.
      givenUp: () => this.rest(),
    };
  }

  /** The server; undefined once it has left the configuration. */
  get server(): GatewayServer | undefined {
    return this.#options.servers.find(this.#facts.server);
  }

  /** One slot of the server, with the sessions that use it, including this one. @throws PanelError SESSION_CLOSED */
  get upstream(): Upstream {
    if (!this.#upstream) throw sessionOver();
    return this.#upstream;
  }

  /**
   * Determines the server and its sharing, which may have changed, and moves the session to another slot if needed. Calls in
   * flight stay on their connection. @throws PanelError SERVER_UNKNOWN, SESSION_CLOSED
   */
  settle(): Settled {
    if (this.#isReleased) throw sessionOver();
    const { server } = this;
    if (!server) throw serverUnknown(this.#facts.server);
    const { config } = server;
    const { slot, answersInTurn } = this.#options.sharingOf(config, this.#facts);
    if (this.#upstream?.slot.name !== slot.name) {
      this.#drop();
      this.#upstream = this.#upstreams.join(this.#session, slot, this.#leave());
    }
    return { config, upstream: this.#upstream, answersInTurn };
  }

  /** Returns the lease of an open session without waiting; undefined if there is no open session. @throws as `settle` */
  current(settled = this.settle()): Lease | undefined {
    if (this.#lease && !this.#lease.hasEnded) return this.#lease;
    const { server } = this.#facts;
    const { slot } = settled.upstream;
    const lease = this.#options.sessions.tryAcquire(contextIdOf(this.#facts), server, slot, this.#holder);
    return lease && this.#keep(lease, settled);
  }

  /**
   * Returns the lease that `current` returns, or waits for a lease for as long as the server's start may take. @param mayStart
   * permission to start the server; by default the setting for calls @throws PanelError as `SupervisedSessions.acquire`; as
   * `settle`
   */
  async acquire(signal: AbortSignal, mayStart = this.#startOnDemand): Promise<Lease> {
    for (let attempt = 1; ; attempt += 1) {
      const settled = this.settle();
      const open = this.current(settled);
      if (open) return open;
      const term = this.#term;
      try {
        const lease = await this.#request(settled, signal, mayStart);
        const isMine = term === this.#term;
        if (isMine && (!lease.hasEnded || attempt === MAX_ACQUIRES)) return this.#keep(lease, settled);
        void lease.release();
      } catch (error) {
        // If another call has moved the session to another slot, this call tries again with that slot.
        if (term === this.#term || this.#isReleased || attempt === MAX_ACQUIRES) throw error;
      }
    }
  }

  /** Waits for the turn of a call, in the queue of the slot that the session uses when the turn comes. */
  async enterLine(signal: AbortSignal): Promise<EndTurn> {
    for (;;) {
      const { upstream } = this.settle();
      const leave = await upstream.line.enter(this.#facts.nonce, signal);
      if (upstream === this.#upstream) return leave;
      leave(false);
    }
  }

  /** Key of the catalogue entry with the lists that this client sees; undefined once the server has left the configuration. */
  get offerKey(): string | undefined {
    const { server } = this;
    return server && this.#catalogueKey(server.config);
  }

  /** Returns a text for the user that says what a call waits for. */
  waitWords(wait: 'server' | 'turn'): string {
    const state = this.server?.stateKind;
    const waitsForOwnRun = this.#upstream === undefined || this.#upstream.slot.name === ownSlot.name;
    const isStarting =
      state === 'starting' || (!waitsForOwnRun && (state === 'running' || state === 'suspect'));
    if (wait === 'server' || state === 'starting')
      return `${isStarting ? 'starting' : 'waiting for'} ${this.#facts.server}`;
    const isBehindOther = this.#upstream?.line.isHeldByOther(this.#facts.nonce) === true;
    return isBehindOther ? 'waiting for another client' : 'waiting for an earlier call';
  }

  /** True if other sessions use the same connection. @throws as `settle` */
  isShared(): boolean {
    return modeOfSlot(this.settle().upstream.slot) === 'shared';
  }

  /** Returns the server's initialize result; undefined if it is not known without a start of the server. @throws as `settle` */
  async greeting(): Promise<InitializeResponse | undefined> {
    const live = this.current()?.connection.greeting;
    if (live || this.#isAnswering()) return live && this.#seen(live);
    return this.#known((key) => this.#options.catalogue.greeting(key));
  }

  #seen(greeting: InitializeResponse): InitializeResponse {
    const key = this.offerKey;
    return seenGreeting(
      key === undefined ? undefined : this.#options.catalogue.agreed(key),
      greeting,
      this.#facts.clientId,
    );
  }

  /** Returns the stored list of a server that does not answer now; undefined if the server answers. @throws as `settle` */
  async knownList(method: string): Promise<CatalogueList | undefined> {
    if (this.#isAnswering()) return undefined;
    return this.#known((key) => this.#options.catalogue.list(key, method));
  }

  /**
   * Returns the lists that changed after that time. If the catalogue must be read first, it returns a promise, which never
   * rejects.
   * @throws PanelError SESSION_CLOSED
   */
  listsChangedSince(epochMs: number): readonly ChangedList[] | Promise<readonly ChangedList[]> {
    if (!this.server) return [];
    const { catalogue } = this.#options;
    const key = this.#catalogueKey(this.settle().config);
    const changed = () => [...new Set((catalogue.changedSince(key, epochMs) ?? []).map(changedListOf))];
    return catalogue.changedSince(key, epochMs) ? changed() : catalogue.load(key).then(changed);
  }

  /** Takes a lease of the new connection, so that the connection stays open while the session exists. */
  keepOpen(): void {
    if (!this.#isReleased && !this.#isResting && this.server) this.current();
  }

  /** Handles the end of the connection. A resting session takes no new lease, because that might start an unneeded process. */
  reopen(): boolean {
    if (this.#isResting) return false;
    this.acquire(new AbortController().signal, false).catch(() => undefined);
    return true;
  }

  /** Releases the lease until the next call. The session keeps its slot, and with it the log level and subscriptions. */
  rest(): void {
    this.#isResting = true;
    this.#drop();
  }

  /** Ends the rest when a request arrives, so that the session takes leases again. */
  wake(): void {
    this.#isResting = false;
  }

  /** Ends the access to the server. Idempotent. Calls in flight continue. */
  end(): void {
    this.#leave();
    this.#isReleased = true;
    this.#drop();
  }

  get #startOnDemand(): MayStart {
    return this.#options.startOnDemand() ? 'unless-stopped' : 'wake';
  }

  #request({ config, upstream }: Settled, signal: AbortSignal, mayStart: MayStart): Promise<Lease> {
    const { slot } = upstream;
    const options = { slot, signal, mayStart, deadlineMs: config.panel.startMaxMs, holder: this.#holder };
    return this.#options.sessions.acquire(contextIdOf(this.#facts), this.#facts.server, options);
  }

  /** Keeps the first lease and releases further ones, which arise when several calls have waited at the same time. */
  #keep(lease: Lease, { config, upstream }: Settled): Lease {
    const former = this.#lease;
    if (former && !former.hasEnded) {
      void lease.release();
      return former;
    }
    void former?.release();
    this.#lease = lease;
    upstream.attach(lease.connection, this.#catalogueKey(config));
    return lease;
  }

  /** True if a request would reach the server without a start. */
  #isAnswering(): boolean {
    const settled = this.settle();
    const isOwn = settled.upstream.slot.name === ownSlot.name;
    if (!isOwn && !this.current(settled)) return false;
    return this.server?.stateKind === 'running';
  }

  async #known<T>(find: (key: string) => T | undefined): Promise<T | undefined> {
    const { server } = this;
    if (!server) return undefined;
    const key = this.#catalogueKey(server.config);
    await this.#options.catalogue.load(key);
    return find(key);
  }

  /**
   * Catalogue key, which depends on the client's capabilities if the slot declares them. A server may offer other lists to
   * clients with fewer capabilities than its main instance is given.
   */
  #catalogueKey(config: ServerConfig): string {
    const key = this.#keyOf(config);
    return this.#upstream?.slot.clientCapabilities === undefined
      ? catalogueKey(key)
      : catalogueKey(key, this.#facts.capabilities);
  }

  #drop(): void {
    void this.#lease?.release();
    this.#lease = undefined;
    this.#term = {};
  }

  /** Leaves the upstream. Returns the log level and subscriptions that the session had there. */
  #leave(): SessionWishes | undefined {
    const upstream = this.#upstream;
    this.#upstream = undefined;
    return upstream && this.#upstreams.leave(this.#session, upstream);
  }
}

function sessionOver(): PanelError {
  return new PanelError('SESSION_CLOSED', 'The session of this client has ended.');
}

function serverUnknown(name: string): PanelError {
  return new PanelError('SERVER_UNKNOWN', `There is no longer a server "${name}".`, {
    remedy: 'Add it in MCP Control Panel, or remove it from the settings of this client.',
  });
}
