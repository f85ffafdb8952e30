import type { LongMessage } from './long-message.ts';

/** Codes of the JSON-RPC 2.0 specification, section 5.1. */
export const METHOD_NOT_FOUND = -32601;
export const INTERNAL_ERROR = -32603;

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
