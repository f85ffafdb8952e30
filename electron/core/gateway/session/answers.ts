import { isJsonObject } from '../../../../shared/json-object.ts';
import { cutText } from '../../../../shared/cut-text.ts';
import type { ApprovedBy } from '../../../../shared/approvals.ts';
import { PanelError, toErrorReport } from '../../../../shared/error-codes.ts';
import { firstBytes, lastBytes, partsBetween } from '../../mcp/bytes.ts';
import type { LongMessage, RawResult } from '../../mcp/long-message.ts';
import { INTERNAL_ERROR, rpcErrorIn } from '../../mcp/rpc-error.ts';
import type { GatewayReply, MessageId } from '../types.ts';

/** A successful result in one of three forms: parsed, as a long message of the server that was never parsed, or as JSON bytes. */
export type CallAnswer = RawResult | { readonly kind: 'bytes'; readonly result: Buffer };
export const emptyAnswer: CallAnswer = { kind: 'parsed', result: {} };

export type CallParams = Readonly<Record<string, unknown>>;

/** Maximum characters of displayed tool names. */
const MAX_TARGET_LENGTH = 200;

/** Returns the progress token that the client chose; undefined if it wants no progress. */
export function progressTokenIn(params: CallParams | undefined): MessageId | undefined {
  const meta = params?.['_meta'];
  const token = isJsonObject(meta) ? meta['progressToken'] : undefined;
  return typeof token === 'string' || typeof token === 'number' ? token : undefined;
}

/**
 * Progress value that the panel adds per second in its own progress messages. It is tiny, because progress values must only
 * increase (MCP, progress) and the values that the server sends later must be larger.
 */
const PROGRESS_PER_SECOND = 1e-6;

/** Returns the parameters of the panel's own progress message for a call that has taken `elapsedMs`. */
export function ownProgress(elapsedMs: number, words: string, progressToken: MessageId): CallParams {
  const seconds = Math.floor(elapsedMs / 1000);
  const message = seconds === 0 ? words : `${words}, ${seconds} s`;
  return { progress: (elapsedMs / 1000) * PROGRESS_PER_SECOND, message, progressToken };
}

/** Returns the name of the called tool or prompt. */
export function targetIn(params: CallParams | undefined): string | undefined {
  const name = params?.['name'];
  return typeof name === 'string' ? cutText(name, MAX_TARGET_LENGTH, 'end').text : undefined;
}

const ERROR_MARK = '"isError":true';
/** Bytes at each end of a long answer to search for `"isError":true`, which servers write before or after the content. */
const EDGE_BYTES = 256;

/** True if a tool itself answered with an error (MCP, tools, error handling). */
export function isToolError(answer: CallAnswer): boolean {
  if (answer.kind === 'parsed') return answer.result['isError'] === true;
  if (answer.kind === 'bytes') return false;
  const { parts } = answer.message;
  // No text in the answer can match by accident, because its quotes would be escaped.
  return [firstBytes(parts, EDGE_BYTES), lastBytes(parts, EDGE_BYTES)].some((edge) =>
    edge.includes(ERROR_MARK),
  );
}

/** Outcome of a client's call: `lost` if neither side decided it, for example because the server ended or the deadline passed. */
export type RelayedOutcome = 'result' | 'error' | 'cancelled' | 'lost';

/** An error object of JSON-RPC. */
interface WireError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/**
 * Returns the error that the client gets for a failed call: the server's own error unchanged, or a panel error as an internal
 * error whose `data` contains the panel's code, the server and a remedy for the user. @param redact redacts secrets in the
 * panel's own texts
 */
export function wireErrorOf(error: unknown, server: string, redact: (text: string) => string): WireError {
  const own = rpcErrorIn(error);
  if (own) {
    const { code, message, data } = own;
    return { code, message, ...(data !== undefined && { data }) };
  }
  const { code, message, remedy } = toErrorReport(error, 'PROTOCOL_ERROR');
  if (remedy === undefined) return { code: INTERNAL_ERROR, message: redact(message), data: { code, server } };
  // Most clients show only the message, so it contains the remedy as well.
  const data = { code, server, remedy: redact(remedy) };
  return { code: INTERNAL_ERROR, message: redact(`${asSentence(message)} ${remedy}`), data };
}

/** Returns the outcome of a call that rejected. @param isCancelled true if the client itself cancelled the call */
export function outcomeOfError(error: unknown, isCancelled: boolean): RelayedOutcome {
  if (isCancelled) return 'cancelled';
  return rpcErrorIn(error) ? 'error' : 'lost';
}

/**
 * Returns who refused the call, or why it was refused without a person (timeout, changed tool); undefined for any other error.
 */
export function refuserIn(error: unknown): ApprovedBy | undefined {
  if (!(error instanceof PanelError)) return undefined;
  if (error.code === 'TOOL_CHANGED') return 'changed';
  if (error.code !== 'APPROVAL_REFUSED') return undefined;
  return error.data?.['by'] === 'timeout' ? 'timeout' : 'refused';
}

/** Returns the error for a call that waited too long for earlier calls to a server that answers one call at a time. */
export function waitedInVain(server: string, waitedMs: number): PanelError {
  const waited = `waited ${Math.floor(waitedMs / 1000)} s for other calls`;
  const message = `The call ${waited} and was not sent: "${server}" answers one call at a time.`;
  const remedy = 'Try again later, or give each client its own process on the Sessions page of the server.';
  return new PanelError('REQUEST_TIMEOUT', message, { remedy });
}

/** Ends a response as an empty event stream. This is the only way to end a response without an answer. */
export function closeUnanswered(reply: GatewayReply): void {
  reply.open();
  reply.close();
}

function asSentence(text: string): string {
  return text.endsWith('.') ? text : `${text}.`;
}

/** Replaces the panel's request id with the id that the client sent, without parsing or copying the long answer. */
function withId({ parts, idSpan }: LongMessage, id: MessageId): readonly Uint8Array[] {
  if (!idSpan) throw new Error('An answer without an id cannot be the answer to a request.');
  const before = partsBetween(parts, 0, idSpan.start);
  return [...before, Buffer.from(JSON.stringify(id)), ...partsBetween(parts, idSpan.end, Infinity)];
}

/** Builds the answer to a request from the JSON text of its result. */
export function asResult(result: Uint8Array, id: MessageId): readonly Uint8Array[] {
  return [Buffer.from(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`), result, Buffer.from('}')];
}

/** Builds the message that answers the request with this id. */
export function resultTo(id: MessageId, answer: CallAnswer): object | readonly Uint8Array[] {
  if (answer.kind === 'long') return withId(answer.message, id);
  if (answer.kind === 'bytes') return asResult(answer.result, id);
  return { jsonrpc: '2.0', id, result: answer.result };
}

/**
 * Builds the error message that answers the request with this id. A long error of the server is forwarded as bytes; any other
 * error is built by `wireErrorOf`.
 */
export function errorTo(
  id: MessageId,
  error: unknown,
  server: string,
  redact: (text: string) => string,
): object | readonly Uint8Array[] {
  const long = rpcErrorIn(error)?.long;
  return long ? withId(long, id) : { jsonrpc: '2.0', id, error: wireErrorOf(error, server, redact) };
}
