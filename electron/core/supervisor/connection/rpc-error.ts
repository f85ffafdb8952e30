/** Codes of the JSON-RPC 2.0 specification, section 5.1. */
export const METHOD_NOT_FOUND = -32601;
export const INTERNAL_ERROR = -32603;

/** An error object of JSON-RPC as one side says it to the other: code, words and data as they stand on the wire. */
export class RpcError extends Error {
  readonly code: number;
  /** Undefined where there is none. */
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.name = 'RpcError';
    this.code = code;
    this.data = data;
  }
}
