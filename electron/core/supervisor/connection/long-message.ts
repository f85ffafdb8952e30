import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js';

/** A part of some bytes, `end` excluded. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * A message that is too long to be parsed in one turn: what its envelope says, and its bytes, which are one JSON text in
 * UTF-8 (RFC 8259, checked) without a line break at its end.
 */
export interface LongMessage {
  readonly kind: 'result' | 'error' | 'request' | 'notification';
  /** Undefined for a notification, and for an error that answers nobody. */
  readonly id?: RequestId | undefined;
  readonly method?: string | undefined;
  readonly errorCode?: number | undefined;
  /** Cut in its middle to some thousand characters. */
  readonly errorMessage?: string | undefined;
  /**
   * The message as if it were short: with its id and method; of its params, error or `_meta` what is short and what a
   * connection itself looks at (progress and cancellation, code, message and data). Everything else is left out.
   */
  readonly outline: JSONRPCMessage;
  /** In one piece, which is made of `parts` for the first who asks. */
  readonly bytes: Buffer;
  /** The same bytes where they lie, for those who hand them on. */
  readonly parts: readonly Buffer[];
  /** The value of `result`, `error` or `params`; undefined for a message without params. */
  readonly bodySpan: Span | undefined;
  /** The value of `id`, where there is one: other bytes may be put in its place. */
  readonly idSpan: Span | undefined;
  /** Values at all depths, the message itself included; names do not count. */
  readonly valueCount: number;
}

/** The result of a request: as a value, or, where it is too long to be parsed in one turn, as the bytes that came. */
export type RawResult =
  | { readonly kind: 'parsed'; readonly result: Record<string, unknown> }
  | { readonly kind: 'long'; readonly message: LongMessage };
