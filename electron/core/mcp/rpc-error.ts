import type { ErrorCode } from '@modelcontextprotocol/sdk/types.js';
import { PanelError } from '../../../shared/error-codes.ts';
import type { LongMessage } from './long-message.ts';

/**
 * Codes of the JSON-RPC 2.0 specification, section 5.1, equal to the SDK's. They are repeated here because importing its
 * enum would load all of its schemas, which the panel loads only with the first server that starts.
 */
export const PARSE_ERROR = -32_700 satisfies ErrorCode.ParseError;
export const INVALID_REQUEST = -32_600 satisfies ErrorCode.InvalidRequest;
export const METHOD_NOT_FOUND = -32_601 satisfies ErrorCode.MethodNotFound;
export const INVALID_PARAMS = -32_602 satisfies ErrorCode.InvalidParams;
export const INTERNAL_ERROR = -32_603 satisfies ErrorCode.InternalError;

/** JSON-RPC error object: code, message and data as they are on the wire. */
export class RpcError extends Error {
  readonly code: number;
  /** Undefined if the error has no data. */
  readonly data: unknown;
  /** Raw bytes of the error, if it is too long for `message` and `data`. */
  readonly long: LongMessage | undefined;

  constructor(code: number, message: string, data?: unknown, long?: LongMessage) {
    super(message);
    this.name = 'RpcError';
    this.code = code;
    this.data = data;
    this.long = long;
  }
}

/** Returns the JSON-RPC error that the server answered with, or that replaces its answer; undefined for every other error. */
export function rpcErrorIn(error: unknown): RpcError | undefined {
  if (error instanceof RpcError) return error;
  if (!(error instanceof PanelError) || error.code !== 'SERVER_ERROR') return undefined;
  return error.cause instanceof RpcError ? error.cause : undefined;
}
