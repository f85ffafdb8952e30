import { wireErrorOf } from '../relay/relay-error.ts';
import type { SessionRelay } from '../relay/session-relay.ts';
import type { AdmittedRequest, InboundMessage, MessageId, Reply, SessionFacts } from '../types.ts';
import type { ClientSessions } from './client-sessions.ts';
import { factsOf, greetingFor } from './greeting.ts';
import type { LegacyEdgeOptions } from './legacy-edge-options.ts';
import { refusals } from './refusals.ts';

/**
 * Begins a session, whatever id came with it, and answers with the greeting of its server: at once where it is known, else
 * as soon as the server has started. The id of the session goes into the header before that is known. Never rejects.
 */
export async function initialize(
  { sessionIds, servers, createNonce, redact, wallClock }: LegacyEdgeOptions,
  sessions: ClientSessions,
  { client, server }: AdmittedRequest,
  message: InboundMessage,
  reply: Reply,
): Promise<void> {
  const { id = 0 } = message;
  if (!servers.find(server)) return refusals.unknownServer(reply, server, id);
  const params = message.params ?? {};
  const issuedAt = wallClock.epochMs();
  const facts = factsOf(params, { nonce: createNonce(), clientId: client.id, server, issuedAt });
  const { relay } = sessions.seen(facts, client.name);
  reply.header('Mcp-Session-Id', sessionIds.mint(facts));
  try {
    await greet(relay, facts, id, reply);
  } catch (error) {
    reply.end({ jsonrpc: '2.0', id, error: wireErrorOf(error, server, redact) });
  }
}

async function greet(relay: SessionRelay, facts: SessionFacts, id: MessageId, reply: Reply): Promise<void> {
  const isShared = relay.way.isShared();
  const known = await relay.way.greeting();
  if (known) return reply.end({ jsonrpc: '2.0', id, result: greetingFor(known, facts, isShared) });
  const call = { session: facts, id, method: 'initialize', params: undefined, reply };
  relay.whenUp(call, ({ connection }) =>
    Promise.resolve({ kind: 'parsed', result: greetingFor(connection.greeting, facts, isShared) }),
  );
}
