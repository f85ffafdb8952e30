import type { CountedOutcome } from '../../../shared/call-figures.ts';
import { ErrorCode as RpcCode } from '@modelcontextprotocol/sdk/types.js';
import { PanelError, type ErrorCode } from '../../../shared/error-codes.ts';
import { aboutServer } from '../phrases.ts';
import type { OpenCall } from './open-call.ts';
import { outputExcerpt } from './malformed-output.ts';
import { RpcError } from './rpc-error.ts';
import { messageOf } from '../../../shared/message-of.ts';

export type { CountedOutcome } from '../../../shared/call-figures.ts';

const OUTCOMES: Readonly<Partial<Record<ErrorCode, CountedOutcome>>> = {
  SERVER_ERROR: 'error',
  REQUEST_TIMEOUT: 'timeout',
  CANCELLED: 'cancelled',
};

export function outcomeOf({ code }: PanelError): CountedOutcome {
  return OUTCOMES[code] ?? 'lost';
}

export function callError(error: unknown, method: string): PanelError {
  if (error instanceof PanelError) return error;
  if (error instanceof RpcError) return serverError(error);
  return new PanelError('PROTOCOL_ERROR', `${method} failed: ${messageOf(error)}.`, { cause: error });
}

export function handshakeError(error: unknown): PanelError {
  if (error instanceof PanelError) return error;
  if (error instanceof RpcError) return serverError(error, 'refused the MCP handshake');
  const message = messageOf(error);
  const phrase = `did not complete the MCP handshake: ${message}`;
  return new PanelError('PROTOCOL_ERROR', aboutServer(phrase), {
    short: { phrase },
    remedy:
      'Check that the command starts an MCP server that speaks over stdio, and read what it wrote to stderr.',
    cause: error,
  });
}

/** Error of a call that its caller cancelled. The caller gets it even if the call ends in another way at the same instant. */
export function cancelledByCaller(method: string, cause: unknown): PanelError {
  return new PanelError('CANCELLED', `${method} was cancelled.`, { cause });
}

/** Error for the caller of a call that the server cancelled. */
export function cancelledByServer(method: string, reason: string | undefined): PanelError {
  const words = reason === undefined ? undefined : outputExcerpt(Buffer.from(reason));
  const why = words ? `: ${words}` : ', and gave no reason.';
  return new PanelError('CANCELLED', `The server cancelled ${method}${why}`, {
    data: { cancelledBy: 'server', ...(words !== undefined && { reason: words }) },
    remedy: 'Check whether it took effect before you repeat it.',
  });
}

/** Reason sent to the server when the deadline of a call has passed. */
export const TIMED_OUT = 'Request timed out';

/** Error of a call past its deadline. `cause` looks like a timeout error of the MCP SDKs, with the limit and the elapsed time. */
export function timedOut({ method, limits, startedAtMs }: OpenCall, nowMs: number): PanelError {
  const totalElapsed = Math.round(nowMs - startedAtMs);
  const isTotal = totalElapsed >= limits.maxTotalMs;
  const data = isTotal
    ? { maxTotalTimeout: limits.maxTotalMs, totalElapsed }
    : { timeout: limits.timeoutMs, totalElapsed };
  return new PanelError('REQUEST_TIMEOUT', `${method} had no answer by its deadline.`, {
    cause: new RpcError(RpcCode.RequestTimeout, TIMED_OUT, data),
  });
}

/** Error for a transport that has closed without a known reason. */
export function connectionClosed(): PanelError {
  return new PanelError('SESSION_CLOSED', 'The connection is closed.');
}

/** Error of a call that the server answered with an error; `cause` is that error unchanged. */
function serverError(cause: RpcError, lead?: string): PanelError {
  const { code, message, data } = cause;
  const phrase = `${lead}: ${message}`;
  return new PanelError('SERVER_ERROR', lead === undefined ? message : `The server ${phrase}`, {
    data: { rpcCode: code, rpcData: data },
    short: lead === undefined ? undefined : { phrase },
    cause,
  });
}
