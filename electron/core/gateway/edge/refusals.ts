import { INVALID_REQUEST, METHOD_NOT_FOUND } from '../../mcp/rpc-error.ts';
import type { MessageId, Reply } from '../types.ts';

/** What servers of the SDK say in these cases, in the range that is left to them. */
const BAD_REQUEST = -32000;
const NOT_FOUND = -32001;
const ADD_IT = 'Add it in MCP Control Panel, or remove it from the settings of this client.';

/** Answers over HTTP in place of a result; the era of the client decides what it makes of the status. */
export const refusals = {
  /** Clients of a later era take 400 for "speak the older one", and 404 for "this method is missing". */
  laterEra: (reply: Reply, id?: MessageId) => refuse(reply, 400, METHOD_NOT_FOUND, 'Method not found', id),
  invalid: (reply: Reply, id?: MessageId) => refuse(reply, 400, INVALID_REQUEST, 'Invalid Request', id),
  noSession: (reply: Reply, id?: MessageId) =>
    refuse(reply, 400, BAD_REQUEST, 'Bad Request: Mcp-Session-Id header is required', id),
  version: (reply: Reply, version: string, id?: MessageId) =>
    refuse(reply, 400, BAD_REQUEST, `Bad Request: Unsupported protocol version: ${version.slice(0, 64)}`, id),
  unknownSession: (reply: Reply, id?: MessageId) => refuse(reply, 404, NOT_FOUND, 'Session not found', id),
  unknownServer: (reply: Reply, server: string, id?: MessageId) =>
    refuse(reply, 404, NOT_FOUND, `There is no server "${server.slice(0, 200)}". ${ADD_IT}`, id),
} as const;

function refuse(
  reply: Reply,
  status: number,
  code: number,
  message: string,
  id: MessageId | undefined,
): void {
  reply.status(status, { jsonrpc: '2.0', id: id ?? null, error: { code, message } });
}
