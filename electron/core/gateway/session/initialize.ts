import { isJsonObject } from '../../../../shared/json-object.ts';
import type { InitializeResponse } from '../../mcp/handshake.ts';
import type { CapabilityClass, GatewayReply, MessageId, SessionFacts } from '../types.ts';
import { errorTo, type CallParams } from './answers.ts';
import type { ServerAccess } from './access.ts';
import type { CallSteps, ClientRequest } from './call-parts.ts';
import { LATEST_VERSION, SPOKEN_VERSIONS } from './era.ts';

/** Maximum characters of client names, which are shown and stored in the session id. */
const MAX_INFO_LENGTH = 64;

/** Builds a session's facts from the params of `initialize`. Missing or malformed params are no reason to refuse the session. */
export function factsOf(
  params: CallParams,
  session: Pick<SessionFacts, 'nonce' | 'clientId' | 'server' | 'issuedAt'>,
): SessionFacts {
  const { protocolVersion: asked, capabilities, clientInfo } = params;
  const protocolVersion = typeof asked === 'string' && SPOKEN_VERSIONS.has(asked) ? asked : LATEST_VERSION;
  const info = infoOf(clientInfo);
  return { ...session, protocolVersion, capabilities: classOf(capabilities), ...(info && { info }) };
}

/** Returns a client's capability class (whether it supports elicitation and sampling), from its `initialize` capabilities. */
export function classOf(capabilities: unknown): CapabilityClass {
  const has = (name: 'elicitation' | 'sampling'): boolean =>
    isJsonObject(capabilities) && isJsonObject(capabilities[name]);
  if (has('elicitation')) return has('sampling') ? 'elicitation+sampling' : 'elicitation';
  return has('sampling') ? 'sampling' : 'plain';
}

/** A session whose `initialize` request is being answered. */
interface GreetedSession {
  readonly access: ServerAccess;
  readonly facts: SessionFacts;
  whenUp(request: ClientRequest, reply: GatewayReply, send: NonNullable<CallSteps['send']>): void;
}

/** Answers with the server's initialize result: at once if it is known, otherwise when the server has started. Never rejects. */
export async function greet(
  session: GreetedSession,
  id: MessageId,
  reply: GatewayReply,
  redact: (text: string) => string,
): Promise<void> {
  const { access, facts } = session;
  try {
    const isShared = access.isShared();
    const known = await access.greeting();
    if (known) return reply.end({ jsonrpc: '2.0', id, result: initializeResultFor(known, facts, isShared) });
    session.whenUp({ id, method: 'initialize' }, reply, async ({ connection }) => {
      const greeting = (await access.greeting()) ?? connection.greeting;
      return { kind: 'parsed', result: initializeResultFor(greeting, facts, isShared) };
    });
  } catch (error) {
    reply.end(errorTo(id, error, facts.server, redact));
  }
}

/** Returns the server's initialize result, with the version that this client gets. */
export function initializeResultFor(
  greeting: InitializeResponse,
  { protocolVersion }: SessionFacts,
  isShared: boolean,
): InitializeResponse {
  const greeted = { ...greeting, protocolVersion };
  return isShared ? withoutTasks(greeted) : greeted;
}

/**
 * Removes the tasks capability, because tasks belong to a connection. Otherwise every client that shares the connection could
 * list, read and cancel the tasks of others.
 */
function withoutTasks(greeting: InitializeResponse): InitializeResponse {
  if (!('tasks' in greeting.capabilities)) return greeting;
  const others = Object.entries(greeting.capabilities).filter(([name]) => name !== 'tasks');
  return { ...greeting, capabilities: Object.fromEntries(others) };
}

function infoOf(clientInfo: unknown): SessionFacts['info'] {
  if (!isJsonObject(clientInfo)) return undefined;
  const [name, version] = [clientInfo['name'], clientInfo['version']].map((text) =>
    typeof text === 'string' ? text.slice(0, MAX_INFO_LENGTH) : '',
  );
  return name === undefined || name === '' ? undefined : { name, version: version ?? '' };
}
