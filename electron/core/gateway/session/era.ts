import { ALL_SERVERS, isCombined } from '../../../../shared/gateway-use.ts';
import { isJsonObject } from '../../../../shared/json-object.ts';
import { INVALID_REQUEST, METHOD_NOT_FOUND } from '../../mcp/rpc-error.ts';
import {
  type AdmittedRequest,
  type GatewayReply,
  type InboundMessage,
  type MessageId,
  type SessionFacts,
} from '../types.ts';

/** Supported protocol revisions, oldest first. */
export const SPOKEN_VERSIONS: ReadonlySet<string> = new Set([
  '2024-11-05',
  '2025-03-26',
  '2025-06-18',
  '2025-11-25',
]);
export const LATEST_VERSION = '2025-11-25';

/** Kinds of client messages for an edge that speaks the protocol up to 2025-11-25. */
type MessageKind =
  /** A message of a later protocol revision, which this edge does not support. */
  | 'modern'
  | 'initialize'
  /** Message of a session: a request other than `initialize`, a notification, or the answer to a server request. */
  | 'message'
  | 'invalid';

/** The first of the later protocol revisions. */
const FIRST_MODERN_VERSION = '2026-07-28';
const VERSION_CLAIM = 'io.modelcontextprotocol/protocolVersion';

/**
 * Classifies a message. A request or notification is `modern` if its method, its `_meta` or the header belongs to
 * `FIRST_MODERN_VERSION` or later. A header with an earlier version has no influence.
 * @param header `MCP-Protocol-Version` as received
 */
export function classify(message: InboundMessage, header: string | undefined): MessageKind {
  const { method, id } = message;
  if (method === undefined) return isAnswer(message) ? 'message' : 'invalid';
  if (method === 'server/discover' || claimsModern(message) || isModern(header)) return 'modern';
  return method === 'initialize' && id !== undefined ? 'initialize' : 'message';
}

function isAnswer({ id, result, error }: InboundMessage): boolean {
  return id !== undefined && (result !== undefined || error !== undefined);
}

function claimsModern({ params }: InboundMessage): boolean {
  const meta = params?.['_meta'];
  return isJsonObject(meta) && isModern(meta[VERSION_CLAIM]);
}

/** True for `FIRST_MODERN_VERSION` and later. Versions are ISO dates, so comparing them as strings is enough. */
function isModern(version: unknown): boolean {
  return typeof version === 'string' && version >= FIRST_MODERN_VERSION;
}

/** JSON-RPC error code that MCP SDK servers use for a bad request, in the range reserved for implementations. */
const BAD_REQUEST = -32000;
const NOT_FOUND = -32001;
const ADD_IT = 'Add it in MCP Control Panel, or remove it from the settings of this client.';

const nameOf = (server: string): string =>
  isCombined(server) ? `set "${server.slice(ALL_SERVERS.length)}"` : `server "${server.slice(0, 200)}"`;

/** HTTP refusals, sent instead of a result. Clients of older and later protocol revisions interpret each status correctly. */
export const refusals = {
  /**
   * Refuses a message of a later protocol revision. The status is 400, because such clients understand 400 as "speak the older
   * revision" and 404 as "this method is missing".
   */
  laterEra: (reply: GatewayReply, id?: MessageId) =>
    refuse(reply, 400, METHOD_NOT_FOUND, 'Method not found', id),
  invalid: (reply: GatewayReply, id?: MessageId) =>
    refuse(reply, 400, INVALID_REQUEST, 'Invalid Request', id),
  noSession: (reply: GatewayReply, id?: MessageId) =>
    refuse(reply, 400, BAD_REQUEST, 'Bad Request: Mcp-Session-Id header is required', id),
  version: (reply: GatewayReply, version: string, id?: MessageId) =>
    refuse(reply, 400, BAD_REQUEST, `Bad Request: Unsupported protocol version: ${version.slice(0, 64)}`, id),
  unknownSession: (reply: GatewayReply, id?: MessageId) =>
    refuse(reply, 404, NOT_FOUND, 'Session not found', id),
  unknownServer: (reply: GatewayReply, server: string, id?: MessageId) =>
    refuse(reply, 404, NOT_FOUND, `There is no ${nameOf(server)}. ${ADD_IT}`, id),
} as const;

function refuse(
  reply: GatewayReply,
  status: number,
  code: number,
  message: string,
  id: MessageId | undefined,
): void {
  reply.status(status, { jsonrpc: '2.0', id: id ?? null, error: { code, message } });
}

/** What `sessionOf` needs to check a request: the session ids, and which servers exist. */
export interface Known {
  readonly sessionIds: { open(id: string): SessionFacts | undefined };
  readonly hasServer: (server: string, clientId: string) => boolean;
}

/** Returns the facts of the request's session. If there is none, answers the request and returns undefined. */
export function sessionOf(
  { sessionId, server, client, protocolVersion }: AdmittedRequest,
  { sessionIds, hasServer }: Known,
  reply: GatewayReply,
  id?: MessageId,
): SessionFacts | undefined {
  const facts = sessionId === undefined ? undefined : sessionIds.open(sessionId);
  // The answer must not reveal that another client's session exists.
  if (facts?.clientId !== client.id || facts.server !== server) {
    if (!hasServer(server, client.id)) refusals.unknownServer(reply, server, id);
    else if (sessionId === undefined) refusals.noSession(reply, id);
    else refusals.unknownSession(reply, id);
    return undefined;
  }
  if (protocolVersion === undefined || SPOKEN_VERSIONS.has(protocolVersion)) return facts;
  refusals.version(reply, protocolVersion, id);
  return undefined;
}
