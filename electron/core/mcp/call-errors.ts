import type { CountedOutcome } from '../../../shared/call-figures.ts';
import { ErrorCode as RpcCode } from '@modelcontextprotocol/sdk/types.js';
import { PanelError, type ErrorCode } from '../../../shared/error-codes.ts';
import { aboutServer } from '../phrases.ts';
import type { OpenCall } from './call-ledger.ts';
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

/** What its caller wanted: it comes before whatever else happened to the call, also at the same instant. */
export function cancelledByCaller(method: string, cause: unknown): PanelError {
  return new PanelError('CANCELLED', `${method} was cancelled.`, { cause });
}

/** What the caller gets of a call that the server works on no longer. */
export function cancelledByServer(method: string, reason: string | undefined): PanelError {
  const words = reason === undefined ? undefined : outputExcerpt(Buffer.from(reason));
  const why = words ? `: ${words}` : ', and gave no reason.';
  return new PanelError('CANCELLED', `The server cancelled ${method}${why}`, {
    data: { cancelledBy: 'server', ...(words !== undefined && { reason: words }) },
    remedy: 'Look whether it took effect before you repeat it.',
  });
}

/** What the server is told of a call whose deadline has passed. */
export const TIMED_OUT = 'Request timed out';

/** `cause` is the timeout as the MCP SDKs give it to their callers: which of the two limits it was, and how long was waited. */
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

/** The transport has closed, and nobody said why. */
export function connectionClosed(): PanelError {
  return new PanelError('SESSION_CLOSED', 'The connection is closed.');
}

/** What the server answered instead of a result; `cause` is the error as it said it. */
function serverError(cause: RpcError, lead?: string): PanelError {
  const { code, message, data } = cause;
  const phrase = `${lead}: ${message}`;
  return new PanelError('SERVER_ERROR', lead === undefined ? message : `The server ${phrase}`, {
    data: { rpcCode: code, rpcData: data },
    short: lead === undefined ? undefined : { phrase },
    cause,
  });
}
