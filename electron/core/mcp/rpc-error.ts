import type { ErrorCode } from '@modelcontextprotocol/sdk/types.js';
import { PanelError } from '../../../shared/error-codes.ts';
import type { LongMessage } from './long-message.ts';

/**
 * Codes of the JSON-RPC 2.0 specification, section 5.1, as the SDK has them: its enum alone would load all of its schemas,
 * which the panel does with the first server that starts.
 */
export const PARSE_ERROR = -32_700 satisfies ErrorCode.ParseError;
export const INVALID_REQUEST = -32_600 satisfies ErrorCode.InvalidRequest;
export const METHOD_NOT_FOUND = -32_601 satisfies ErrorCode.MethodNotFound;
export const INVALID_PARAMS = -32_602 satisfies ErrorCode.InvalidParams;
export const INTERNAL_ERROR = -32_603 satisfies ErrorCode.InternalError;

/** An error object of JSON-RPC as one side says it to the other: code, words and data as they stand on the wire. */
export class RpcError extends Error {
  readonly code: number;
  /** Undefined where there is none. */
  readonly data: unknown;
  /** The same as it came, where it is too long for all of it to be in `message` and `data`. */
  readonly long: LongMessage | undefined;

  constructor(code: number, message: string, data?: unknown, long?: LongMessage) {
    super(message);
    this.name = 'RpcError';
    this.code = code;
    this.data = data;
    this.long = long;
  }
}

/** The error of JSON-RPC that the server itself answered with, or that is answered in its place; undefined for every other. */
export function rpcErrorIn(error: unknown): RpcError | undefined {
  if (error instanceof RpcError) return error;
  if (!(error instanceof PanelError) || error.code !== 'SERVER_ERROR') return undefined;
  return error.cause instanceof RpcError ? error.cause : undefined;
}
