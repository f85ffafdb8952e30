import type { AskRefusalReason } from '../../../../shared/gateway.ts';
import { INTERNAL_ERROR, METHOD_NOT_FOUND, RpcError } from '../../mcp/rpc-error.ts';
import type { CallersInFlight, SoleCaller } from './callers-in-flight.ts';
import { canBeAsked } from './client-capabilities.ts';

const words: Readonly<Record<AskRefusalReason, string>> = {
  nobody: 'no client has a call in flight that the request could belong to',
  several: 'other clients have used the same connection, and the request does not say whose it is',
  undeclared: 'the client did not declare that it can be asked this',
  unreachable: 'the client is gone',
};

/** Whom a request of a server goes to, or why to nobody. Nobody is asked in the place of the one whose call it is. */
export function receiverOf(
  caller: ReturnType<CallersInFlight['sole']>,
  method: string,
): SoleCaller | AskRefusalReason {
  if (typeof caller === 'string') return caller;
  if (!canBeAsked(caller.session.capabilities, method)) return 'undeclared';
  return caller.replies.length === 0 ? 'unreachable' : caller;
}

/** Whether servers ask clients with the method at all, so that a refusal is worth telling. */
export function isAsk(method: string): boolean {
  return canBeAsked('elicitation+sampling', method) || method === 'roots/list';
}

/** What the server is told. A method that asks nobody is one that nobody has. */
export function refusalOf(method: string, reason: AskRefusalReason): RpcError {
  if (!isAsk(method)) return new RpcError(METHOD_NOT_FOUND, 'Method not found');
  return new RpcError(INTERNAL_ERROR, `MCP Control Panel did not pass on ${method}: ${words[reason]}.`);
}
