import { isJsonObject } from '../../../../shared/json-object.ts';
import { cutText } from '../../../../shared/cut-text.ts';
import { toErrorReport } from '../../../../shared/error-codes.ts';
import { partsBetween } from '../../mcp/bytes.ts';
import type { LongMessage, RawResult } from '../../mcp/long-message.ts';
import { INTERNAL_ERROR, rpcErrorIn } from '../../mcp/rpc-error.ts';
import type { MessageId } from '../types.ts';

/** A result: as a value, as a whole long message of the server, or as the JSON text of a result. */
export type CallAnswer = RawResult | { readonly kind: 'bytes'; readonly result: Buffer };
export const emptyAnswer: CallAnswer = { kind: 'parsed', result: {} };

export type CallParams = Readonly<Record<string, unknown>>;

/** Names of tools are shown; nobody reads longer ones. */
const MAX_TARGET_LENGTH = 200;

/** The token under which the client wants progress, as it chose it. */
export function progressTokenIn(params: CallParams | undefined): MessageId | undefined {
  const meta = params?.['_meta'];
  const token = isJsonObject(meta) ? meta['progressToken'] : undefined;
  return typeof token === 'string' || typeof token === 'number' ? token : undefined;
}

/** The name of the tool or prompt that is called. */
export function targetIn(params: CallParams | undefined): string | undefined {
  const name = params?.['name'];
  return typeof name === 'string' ? cutText(name, MAX_TARGET_LENGTH, 'end').text : undefined;
}

/** How a call of a client ended: `lost` when neither side decided it, such as by the end of the server or its deadline. */
export type RelayedOutcome = 'result' | 'error' | 'cancelled' | 'lost';

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

/** @param isCancelled the client itself gave the call up */
export function outcomeOfError(error: unknown, isCancelled: boolean): RelayedOutcome {
  if (isCancelled) return 'cancelled';
  return rpcErrorIn(error) ? 'error' : 'lost';
}

function asSentence(text: string): string {
  return text.endsWith('.') ? text : `${text}.`;
}

/** A long answer of a server with the id of the client's request in the place of ours. Nothing of it is parsed or copied. */
export function withId({ parts, idSpan }: LongMessage, id: MessageId): readonly Uint8Array[] {
  if (!idSpan) throw new Error('An answer without an id cannot be the answer to a request.');
  const before = partsBetween(parts, 0, idSpan.start);
  return [...before, Buffer.from(JSON.stringify(id)), ...partsBetween(parts, idSpan.end, Infinity)];
}

/** The answer to a request, of the JSON text of its result. */
export function asResult(result: Uint8Array, id: MessageId): readonly Uint8Array[] {
  return [Buffer.from(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`), result, Buffer.from('}')];
}
