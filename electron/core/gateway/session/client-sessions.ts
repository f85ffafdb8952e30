import type { Disposable } from '../../clock.ts';
import type {
  AdmittedRequest,
  Edge,
  InboundMessage,
  MessageId,
  GatewayReply,
  SessionFacts,
} from '../types.ts';
import { Upstreams } from '../upstream/upstreams.ts';
import { CallWatch } from './call.ts';
import { ClientSession, type SharedParts } from './client-session.ts';
import { classify, isSpoken, refusals } from './era.ts';
import { factsOf, greet } from './initialize.ts';
import type { ClientSessionsOptions, ClientSessionView } from './options.ts';

/** A session without a request and without a stream for so long gives its lease back until its next request. */
const IDLE_MS = 15 * 60_000;
/** One that is silent for so long is forgotten: its id opens all the same, its log level and its subscriptions are gone. */
const FORGET_MS = 24 * 60 * 60_000;
const IDLE_REASON = 'The session was idle.';
const SWEEP_MS = 60_000;
/** More are not kept, but for those in use, which the limits on calls and streams bound. */
const MAX_SESSIONS = 1000;

/**
 * The sessions of clients that speak the protocol up to 2025-11-25: those that are in memory, by their nonce, the one seen last
 * at the end. Dispose it when nothing listens any more.
 */
export class ClientSessions implements Edge {
  readonly #options: ClientSessionsOptions;
  readonly #shared: SharedParts;
  readonly #sessions = new Map<string, ClientSession>();
  #sweep: Disposable | undefined;

  constructor(options: ClientSessionsOptions) {
    this.#options = options;
    this.#shared = { options, upstreams: new Upstreams(options), watch: new CallWatch(options.clock) };
  }

  post(request: AdmittedRequest, message: InboundMessage, reply: GatewayReply): void {
    const { id, method } = message;
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

  /** The sessions of clients; those without a request for long are left out. */
  views(): ClientSessionView[] {
    const nowMs = this.#options.clock.now();
    return [...this.#sessions.values()]
      .filter(({ isResting }) => !isResting)
      .map((session) => session.view(nowMs));
  }

  /** The client may use nothing any more: its calls are cancelled, its streams closed. */
  clientRevoked(clientId: string): void {
    for (const session of [...this.#sessions.values()])
      if (session.facts.clientId === clientId)
        this.#forget(session, 'The client may use the panel no longer.');
  }

  /** Calls under way are given up, streams closed, leases given back. */
  dispose(): void {
    for (const session of [...this.#sessions.values()]) this.#forget(session, 'The panel is quitting.');
    this.#sweep?.dispose();
    this.#shared.watch.dispose();
    this.#shared.upstreams.dispose();
  }

  /** Begins a session, whatever id came with it. The id of the new one goes into the header before the answer is known. */
  #initialize(
    { client, server }: AdmittedRequest,
    { id = 0, params = {} }: InboundMessage,
    reply: GatewayReply,
  ): void {
    const { sessionIds, servers, createNonce, redact, wallClock } = this.#options;
    if (!servers.find(server)) return refusals.unknownServer(reply, server, id);
    const issuedAt = wallClock.epochMs();
    const facts = factsOf(params, { nonce: createNonce(), clientId: client.id, server, issuedAt });
    const session = this.#seen(facts, client.name);
    reply.header('Mcp-Session-Id', sessionIds.mint(facts));
    void greet(session, id, reply, redact);
  }

  /** The session that the request belongs to. Undefined where there is none, and the request is answered. */
  #find(request: AdmittedRequest, reply: GatewayReply, id?: MessageId): ClientSession | undefined {
    const { sessionId, server, client, protocolVersion } = request;
    const { sessionIds, servers } = this.#options;
    const facts = sessionId === undefined ? undefined : sessionIds.open(sessionId);
    // Of a stranger's session it is not even told that there is one.
    if (facts?.clientId !== client.id || facts.server !== server) {
      if (!servers.find(server)) refusals.unknownServer(reply, server, id);
      else if (sessionId === undefined) refusals.noSession(reply, id);
      else refusals.unknownSession(reply, id);
      return undefined;
    }
    if (protocolVersion === undefined || isSpoken(protocolVersion)) return this.#seen(facts, client.name);
    refusals.version(reply, protocolVersion, id);
    return undefined;
  }

  /** The session of these facts, which a request has just come for; made anew where it is not in memory. */
  #seen(facts: SessionFacts, clientName: string): ClientSession {
    const session = this.#sessions.get(facts.nonce) ?? this.#create(facts, clientName);
    session.seen(clientName);
    this.#sessions.delete(facts.nonce);
    this.#sessions.set(facts.nonce, session);
    this.#sweep ??= this.#sweepLater();
    this.#options.onChange();
    return session;
  }

  #create(facts: SessionFacts, clientName: string): ClientSession {
    this.#makeRoom();
    return new ClientSession(facts, clientName, this.#shared);
  }

  /** Nothing of it stays in memory: its calls are given up, its stream is closed. */
  #forget(session: ClientSession, reason: string): void {
    if (!this.#sessions.delete(session.facts.nonce)) return;
    session.end(reason);
    this.#options.onChange();
  }

  /** The client that has most gives up the one that was silent for longest, so that a flood of one costs the others nothing. */
  #makeRoom(): void {
    if (this.#sessions.size < MAX_SESSIONS) return;
    const counts = new Map<string, number>();
    const countOf = ({ facts }: ClientSession) => counts.get(facts.clientId) ?? 0;
    for (const session of this.#sessions.values()) counts.set(session.facts.clientId, countOf(session) + 1);
    let chosen: ClientSession | undefined;
    for (const session of this.#sessions.values())
      if (!session.isInUse && (!chosen || countOf(session) > countOf(chosen))) chosen = session;
    if (chosen) this.#forget(chosen, IDLE_REASON);
  }

  #sweepLater(): Disposable {
    return this.#options.clock.setTimeout(() => {
      const nowMs = this.#options.clock.now();
      for (const session of [...this.#sessions.values()]) this.#lookAt(session, nowMs);
      this.#sweep = this.#sessions.size > 0 ? this.#sweepLater() : undefined;
    }, SWEEP_MS);
  }

  #lookAt(session: ClientSession, nowMs: number): void {
    const silentMs = session.isInUse ? 0 : session.silentMs(nowMs);
    if (silentMs >= FORGET_MS) return this.#forget(session, IDLE_REASON);
    if (session.isResting || silentMs < IDLE_MS) return;
    session.rest();
    this.#options.onChange();
  }
}
