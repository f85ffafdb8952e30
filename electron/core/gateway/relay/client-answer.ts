import { isJsonObject } from '../../../../shared/json-object.ts';
import { INTERNAL_ERROR, RpcError } from '../../mcp/rpc-error.ts';
import type { InboundMessage } from '../types.ts';
import type { OpenAsk } from './open-ask.ts';

type Settled = Pick<OpenAsk, 'settle' | 'fail'>;

/** Ends the ask with what the client answered: a result, an error, or neither, which is an error of its own. */
export function settleWith(ask: Settled, { error, result }: InboundMessage): void {
  if (error !== undefined) ask.fail(clientError(error));
  else if (isJsonObject(result)) ask.settle(result);
  else ask.fail(new RpcError(INTERNAL_ERROR, 'The client gave an answer without a result.'));
}

/** The client's error as it stands, where it has the form of one. */
function clientError(error: unknown): RpcError {
  const { code, message, data } = isJsonObject(error) ? error : {};
  if (Number.isSafeInteger(code) && typeof message === 'string')
    return new RpcError(code as number, message, data);
  return new RpcError(INTERNAL_ERROR, 'The client gave an error that is none.');
}
