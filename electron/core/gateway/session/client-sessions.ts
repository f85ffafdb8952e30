import { isCombined } from '../../../../shared/gateway-use.ts';
import type { OfferList } from '../../../../shared/domain.ts';
import type { Disposable } from '../../clock.ts';
import type {
  AdmittedRequest,
  Edge,
  InboundMessage,
  MessageId,
  GatewayReply,
  SessionFacts,
} from '../types.ts';
import { changedListOf, listChanged } from '../upstream/fan-out.ts';
import { Upstreams } from '../upstream/upstreams.ts';
import { ClientSession } from './client-session.ts';
import { classify, refusals, sessionOf, type Known } from './era.ts';
import type { CombinedParts } from './combined/combined-offer.ts';
import { CombinedSession } from './combined/combined-session.ts';
import type { HeldSession, SharedParts } from './held-session.ts';
import { factsOf } from './initialize.ts';
import type { ClientSessionsOptions, ClientSessionView } from './options.ts';

/** Milliseconds without a request or open stream before a session releases its lease (right to call) until its next request. */
const IDLE_MS = 15 * 60_000;
/** Milliseconds until a silent session is dropped from memory. Its id stays valid; its log level and subscriptions are lost. */
const FORGET_MS = 24 * 60 * 60_000;
const IDLE_REASON = 'The session was idle.';
const SWEEP_MS = 60_000;
/** Milliseconds between two checks of calls in flight. With many short calls, a timer for each would cost more than the calls. */
const LOOK_MS = 1000;
/** Maximum sessions in memory, not counting those in use, because these are bounded by the limits of calls and streams. */
const MAX_SESSIONS = 1000;

/**
 * Sessions of clients that speak the protocol up to 2025-11-25. The sessions in memory are stored by nonce, a random id, with
 * the most recently used session last. Dispose of this object only after the HTTP server has stopped listening.
 */
export class ClientSessions implements Edge {
  readonly #options: ClientSessionsOptions;
  readonly #combined: CombinedParts | undefined;
  readonly #shared: SharedParts;
  readonly #sessions = new Map<string, HeldSession>();
  readonly #known: Known;
  #sweep: Disposable | undefined;
  /** Timer that runs while there are calls in flight. */
  #look: Disposable | undefined;

  /** @param combined parts for endpoints that combine several servers; if missing, there are no such endpoints */
  constructor(options: ClientSessionsOptions, combined?: CombinedParts) {
    this.#options = options;
    this.#combined = combined;
    this.#known = {
      sessionIds: options.sessionIds,
      hasServer: (server, clientId) => this.#has(server, clientId),
    };
    const callBegan = () => (this.#look ??= this.#lookLater());
    this.#shared = { options, upstreams: new Upstreams(options), callBegan };
  }

  post(request: AdmittedRequest, message: InboundMessage, reply: GatewayReply): void {
    const { id, method } = message;
    const { ownRun, server } = request;
    if (ownRun !== undefined && this.#options.ownRuns?.refuses(ownRun, server, message, reply)) return;
    switch (classify(message, request.protocolVersion)) {
      case 'modern':
        return refusals.laterEra(reply, id);
      case 'invalid':
        return refusals.invalid(reply, id);
      case 'initialize':
        return this.#initialize(request, message, reply);
      case 'message':
        this.#find(request, reply, method === undefined ? undefined : id)?.handle(message, reply);
    }
  }

  listen(request: AdmittedRequest, reply: GatewayReply): void {
    this.#find(request, reply)?.listen(reply);
  }

  end(request: AdmittedRequest, reply: GatewayReply): void {
    const session = this.#find(request, reply);
    if (!session) return;
    this.#forget(session, 'The client has ended its session.');
    void this.#options.sessionIds.retire(session.facts).then(() => reply.status(204));
  }

  /** Returns the client sessions for the app window, without those that have been silent for long. */
  views(): ClientSessionView[] {
    const nowMs = this.#options.clock.now();
    return [...this.#sessions.values()]
      .filter(({ isResting }) => !isResting)
      .flatMap((session) => session.views(nowMs));
  }

  /** Ends the sessions of a client that lost its access: cancels calls, closes streams. */
  clientRevoked(clientId: string): void {
    for (const session of [...this.#sessions.values()])
      if (session.facts.clientId === clientId)
        this.#forget(session, 'The client may no longer use the panel.');
  }

  /**
   * Notifies clients of endpoints that combine several servers that tools, prompts or resources of a server have changed.
   * @param server undefined if any server may have changed
   * @param list undefined if all lists may have changed
   */
  serverChanged(server: string | undefined, list?: OfferList): void {
    for (const session of this.#sessions.values())
      if (session instanceof CombinedSession && (server === undefined || session.reaches(server)))
        session.offerChanged(list && [changedListOf(list)]);
  }

  /** Restores the clients' subscriptions once a server is up. */
  serverUp(server: string): void {
    this.#shared.upstreams.serverUp(server);
  }

  /**
   * Notifies the client's sessions that the tools visible to it have changed. @param clientId if undefined, every client whose
   * endpoint combines several servers is notified
   */
  toolsSwitched(clientId: string | undefined): void {
    for (const session of this.#sessions.values())
      if (session instanceof CombinedSession) {
        if (clientId === undefined || session.facts.clientId === clientId) session.offerChanged(['tools']);
      } else if (session instanceof ClientSession && session.facts.clientId === clientId)
        session.owe(listChanged('tools'));
  }

  /** Cancels calls in flight, closes streams, releases leases. */
  dispose(): void {
    for (const session of [...this.#sessions.values()]) this.#forget(session, 'The panel is quitting.');
    this.#sweep?.dispose();
    this.#look?.dispose();
    this.#shared.upstreams.dispose();
  }

  /** Begins a session, even if the request already names one. The new id is set in the header before the answer is known. */
  #initialize(
    { client, server }: AdmittedRequest,
    { id = 0, params = {} }: InboundMessage,
    reply: GatewayReply,
  ): void {
    const { sessionIds, createNonce, wallClock } = this.#options;
    if (!this.#has(server, client.id)) return refusals.unknownServer(reply, server, id);
    const issuedAt = wallClock.epochMs();
    const facts = factsOf(params, { nonce: createNonce(), clientId: client.id, server, issuedAt });
    const session = this.#seen(facts, client.name);
    reply.header('Mcp-Session-Id', sessionIds.mint(facts));
    session.greet(id, reply);
  }

  /** Finds the request's session. If there is none, answers the request and returns undefined. */
  #find(request: AdmittedRequest, reply: GatewayReply, id?: MessageId): HeldSession | undefined {
    const facts = sessionOf(request, this.#known, reply, id);
    return facts && this.#seen(facts, request.client.name);
  }

  /** Returns the session with these facts for a new request; creates it if it is not in memory. */
  #seen(facts: SessionFacts, clientName: string): HeldSession {
    const session = this.#sessions.get(facts.nonce) ?? this.#create(facts, clientName);
    session.seen(clientName);
    this.#sessions.delete(facts.nonce);
    this.#sessions.set(facts.nonce, session);
    this.#sweep ??= this.#sweepLater();
    this.#options.onChange();
    return session;
  }

  #create(facts: SessionFacts, clientName: string): HeldSession {
    this.#makeRoom();
    return this.#combined && isCombined(facts.server)
      ? new CombinedSession(facts, clientName, this.#shared, this.#combined)
      : new ClientSession(facts, clientName, this.#shared);
  }

  /** True if there is a server with this name, or an endpoint with this name that combines several servers. */
  #has(server: string, clientId: string): boolean {
    if (isCombined(server)) return this.#combined?.reachOf(server, clientId) !== undefined;
    return this.#options.servers.find(server) !== undefined;
  }

  /** Drops the session from memory: cancels its calls, closes its stream. */
  #forget(session: HeldSession, reason: string): void {
    if (!this.#sessions.delete(session.facts.nonce)) return;
    session.end(reason);
    this.#options.onChange();
  }

  /**
   * If memory holds too many sessions, drops one that is not in use: among the sessions of the client with the most sessions,
   * the one that has been silent longest. So a flood of sessions from one client does not harm the others.
   */
  #makeRoom(): void {
    if (this.#sessions.size < MAX_SESSIONS) return;
    const counts = new Map<string, number>();
    const countOf = ({ facts }: HeldSession) => counts.get(facts.clientId) ?? 0;
    for (const session of this.#sessions.values()) counts.set(session.facts.clientId, countOf(session) + 1);
    let chosen: HeldSession | undefined;
    for (const session of this.#sessions.values())
      if (!session.isInUse && (!chosen || countOf(session) > countOf(chosen))) chosen = session;
    if (chosen) this.#forget(chosen, IDLE_REASON);
  }

  #lookLater(): Disposable {
    const { clock } = this.#options;
    return clock.setTimeout(() => {
      const nowMs = clock.now();
      this.#look = undefined;
      for (const session of [...this.#sessions.values()]) session.tick(nowMs);
    }, LOOK_MS);
  }

  #sweepLater(): Disposable {
    return this.#options.clock.setTimeout(() => {
      const nowMs = this.#options.clock.now();
      for (const session of [...this.#sessions.values()]) this.#lookAt(session, nowMs);
      this.#sweep = this.#sessions.size > 0 ? this.#sweepLater() : undefined;
    }, SWEEP_MS);
  }

  #lookAt(session: HeldSession, nowMs: number): void {
    const silentMs = session.isInUse ? 0 : session.silentMs(nowMs);
    if (silentMs >= FORGET_MS) return this.#forget(session, IDLE_REASON);
    if (session.isResting || silentMs < IDLE_MS) return;
    session.rest();
    this.#options.onChange();
  }
}
