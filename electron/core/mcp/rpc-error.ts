import type { ErrorCode } from '@modelcontextprotocol/sdk/types.js';
import { PanelError } from '../../../shared/error-codes.ts';
import type { LongMessage } from './long-message.ts';

/**
 * Error codes of the JSON-RPC 2.0 specification, section 5.1. They are repeated here because importing the SDK's enum would
 * load all of the SDK's schemas, which the panel only loads when the first server starts.
 */
export const PARSE_ERROR = -32_700 satisfies ErrorCode.ParseError;
export const INVALID_REQUEST = -32_600 satisfies ErrorCode.InvalidRequest;
export const METHOD_NOT_FOUND = -32_601 satisfies ErrorCode.MethodNotFound;
export const INVALID_PARAMS = -32_602 satisfies ErrorCode.InvalidParams;
export const INTERNAL_ERROR = -32_603 satisfies ErrorCode.InternalError;

/** JSON-RPC error object: code, message and data as they are on the wire. */
export class RpcError extends Error {
  readonly code: number;
  /** Data of the error; undefined if it has none. */
  readonly data: unknown;
  /** Raw bytes of the whole error, if `message` and `data` contain only a part of it. */
  readonly long: LongMessage | undefined;

  constructor(code: number, message: string, data?: unknown, long?: LongMessage) {
    super(message);
    this.name = 'RpcError';
    this.code = code;
    this.data = data;
    this.long = long;
  }
}

/**
 * Returns the JSON-RPC error with which the server answered, or with which the panel replaced a missing answer; undefined for
 * every other error.
 */
export function rpcErrorIn(error: unknown): RpcError | undefined {
  if (error instanceof RpcError) return error;
  if (!(error instanceof PanelError) || error.code !== 'SERVER_ERROR') return undefined;
  return error.cause instanceof RpcError ? error.cause : undefined;
}
