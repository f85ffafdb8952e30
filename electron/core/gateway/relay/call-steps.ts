import type { RawResult } from '../../mcp/long-message.ts';
import type { CallOptions } from '../../mcp/mcp-connection.ts';
import type { CallParams } from './call-params.ts';
import type { Lease } from '../../sessions/lease.ts';

/** A result: as a value, as a whole long message of the server, or as the JSON text of a result. */
export type CallAnswer = RawResult | { readonly kind: 'bytes'; readonly result: Buffer };
export const emptyAnswer: CallAnswer = { kind: 'parsed', result: {} };

/** Sends a call to the server, or does in its place what answers it. */
export type SendCall = (lease: Lease, params: CallParams, options: CallOptions) => Promise<CallAnswer>;

/** What a request needs beside being sent. Both may throw what becomes the answer, as `wireErrorOf` has it. */
export interface CallSteps {
  /** Answers it without the server, where that is possible. */
  readonly here?: (params: CallParams) => Promise<CallAnswer | undefined>;
  /** In the place of being sent. */
  readonly send?: SendCall;
}
