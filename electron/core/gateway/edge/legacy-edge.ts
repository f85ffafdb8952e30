import type { AdmittedRequest, InboundMessage, MessageId, Reply } from '../types.ts';
import { classify } from './classify.ts';
import type { ClientSession } from './client-session.ts';
import type { ClientSessionView } from './client-session-view.ts';
import { ClientSessions } from './client-sessions.ts';
import { isSpoken } from './greeting.ts';
import { initialize } from './initialize.ts';
import type { LegacyEdge, LegacyEdgeOptions } from './legacy-edge-options.ts';
import { refusals } from './refusals.ts';
import { answerRequest, takeNotification } from './requests.ts';

/** The edge for clients of the protocol up to 2025-11-25. Dispose it when nothing listens any more. */
export function createLegacyEdge(options: LegacyEdgeOptions): LegacyEdge {
  return new SessionEdge(options);
}

class SessionEdge implements LegacyEdge {
  readonly #options: LegacyEdgeOptions;
  readonly #sessions: ClientSessions;

  constructor(options: LegacyEdgeOptions) {
    this.#options = options;
    this.#sessions = new ClientSessions(options);
  }

  post(request: AdmittedRequest, message: InboundMessage, reply: Reply): void {
    const { id } = message;
    switch (classify(message, request.protocolVersion)) {
      case 'modern':
        return refusals.laterEra(reply, id);
      case 'invalid':
        return refusals.invalid(reply, id);
      case 'initialize':
        return void initialize(this.#options, this.#sessions, request, message, reply);
      case 'request':
        return this.#requested(request, message, reply);
      case 'notification':
        return this.#accepted(request, message, reply, (session) =>
          takeNotification(session, this.#sessions.asks, message),
        );
      case 'answer':
        return this.#accepted(request, message, reply, (session) =>
          this.#sessions.asks.settle(session.facts, message),
        );
    }
  }

  listen(request: AdmittedRequest, reply: Reply): void {
    this.#find(request, reply)?.listen(reply);
  }

  end(request: AdmittedRequest, reply: Reply): void {
    const session = this.#find(request, reply);
    if (!session) return;
    this.#sessions.forget(session.facts.nonce, 'The client has ended its session.');
    void this.#options.sessionIds.retire(session.facts).then(() => reply.status(204));
  }

  views(): ClientSessionView[] {
    return this.#sessions.views();
  }

  clientRevoked(clientId: string): void {
    this.#sessions.forgetClient(clientId, 'The client may use the panel no longer.');
  }

  dispose(): void {
    this.#sessions.dispose();
  }

  #requested(request: AdmittedRequest, message: InboundMessage, reply: Reply): void {
    const { id } = message;
    const session = this.#find(request, reply, id);
    if (session && id !== undefined) answerRequest(session, { ...message, id }, reply);
  }

  /** What needs no answer is accepted before it is looked at. */
  #accepted(
    request: AdmittedRequest,
    message: InboundMessage,
    reply: Reply,
    take: (session: ClientSession) => void,
  ): void {
    const session = this.#find(request, reply, message.method === undefined ? undefined : message.id);
    if (!session) return;
    reply.status(202);
    take(session);
  }

  /** The session that the request belongs to. Undefined where there is none, and the request is answered. */
  #find(request: AdmittedRequest, reply: Reply, id?: MessageId): ClientSession | undefined {
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
    if (protocolVersion === undefined || isSpoken(protocolVersion))
      return this.#sessions.seen(facts, client.name);
    refusals.version(reply, protocolVersion, id);
    return undefined;
  }
}
