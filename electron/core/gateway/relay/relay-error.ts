import { PanelError, toErrorReport } from '../../../../shared/error-codes.ts';
import { INTERNAL_ERROR, RpcError } from '../../mcp/rpc-error.ts';
import type { RelayedOutcome } from './call-end.ts';

/** An error object of JSON-RPC. */
export interface WireError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/**
 * What the client of a failed call is told: the server's own error as it said it, or ours as an internal error whose `data`
 * holds our code, the server and what a person can do about it.
 * @param redact takes secrets out of our own words
 */
export function wireErrorOf(error: unknown, server: string, redact: (text: string) => string): WireError {
  const own = rpcErrorIn(error);
  if (own) {
    const { code, message, data } = own;
    return { code, message, ...(data !== undefined && { data }) };
  }
  const { code, message, remedy } = toErrorReport(error, 'PROTOCOL_ERROR');
  if (remedy === undefined) return { code: INTERNAL_ERROR, message: redact(message), data: { code, server } };
  // Most clients show the message alone.
  const data = { code, server, remedy: redact(remedy) };
  return { code: INTERNAL_ERROR, message: redact(`${asSentence(message)} ${remedy}`), data };
}

/** The error of JSON-RPC that the server itself answered with, or that is answered in its place; undefined for every other. */
export function rpcErrorIn(error: unknown): RpcError | undefined {
  if (error instanceof RpcError) return error;
  if (!(error instanceof PanelError) || error.code !== 'SERVER_ERROR') return undefined;
  return error.cause instanceof RpcError ? error.cause : undefined;
}

/** @param isCancelled the client itself gave the call up */
export function outcomeOfError(error: unknown, isCancelled: boolean): RelayedOutcome {
  if (isCancelled) return 'cancelled';
  return rpcErrorIn(error) ? 'error' : 'lost';
}

function asSentence(text: string): string {
  return text.endsWith('.') ? text : `${text}.`;
}
