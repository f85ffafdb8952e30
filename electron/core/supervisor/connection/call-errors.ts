import type { CallOutcome } from '../../../../shared/call-figures.ts';
import { PanelError, type ErrorCode } from '../../../../shared/error-codes.ts';
import { aboutServer } from '../../phrases.ts';
import { excerptOf } from './frame-reader.ts';
import { RpcError } from './rpc-error.ts';
import { messageOf } from '../../../../shared/message-of.ts';

export type { CallOutcome } from '../../../../shared/call-figures.ts';

const OUTCOMES: Readonly<Partial<Record<ErrorCode, CallOutcome>>> = {
  SERVER_ERROR: 'error',
  REQUEST_TIMEOUT: 'timeout',
  CANCELLED: 'cancelled',
};

export function outcomeOf({ code }: PanelError): CallOutcome {
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
  const words = reason === undefined ? undefined : excerptOf(Buffer.from(reason));
  const why = words ? `: ${words}` : ', and gave no reason.';
  return new PanelError('CANCELLED', `The server cancelled ${method}${why}`, {
    data: { cancelledBy: 'server', ...(words !== undefined && { reason: words }) },
    remedy: 'Look whether it took effect before you repeat it.',
  });
}

export function timedOut(method: string): PanelError {
  return new PanelError('REQUEST_TIMEOUT', `${method} had no answer by its deadline.`);
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
