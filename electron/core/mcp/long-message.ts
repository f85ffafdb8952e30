import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { PanelError } from '../../../shared/error-codes.ts';
import type { BoundedData, DataBounds } from '../../../shared/plain-data.ts';
import { abortable } from '../wait.ts';
import { freeMemory } from '../free-memory.ts';
import { firstBytes, lastBytes, lengthOf } from './bytes.ts';
import { requestIn, EDGE_BYTES, edgesOf, type LineEdges, type ByteSpan } from './line-edges.ts';
import { bodyIn, MAX_VALUES } from './message-form.ts';
import type { MalformedOutput } from './malformed-output.ts';
import { unparsedAnswer, type UnreadableAnswer } from './unreadable-answer.ts';
import type { ParserAnswers, LongList, LongReader, ParserRequest } from './worker/questions.ts';

/** Maximum bytes of a message that is parsed on the main thread, because a longer one may block the event loop for too long. */
export const MAX_PARSED_BYTES = 64 * 1024;
/**
 * Bytes above which the params of a server's requests and notifications are dropped, because no caller reads params that long.
 */
const MAX_PARAMS_BYTES = 1024 * 1024;
/** Methods whose params the connection itself reads. */
const LOOKED_INTO: readonly string[] = ['notifications/progress', 'notifications/cancelled'];

/** A message that is too long to be parsed on the main thread: its header and its raw bytes. */
export class LongMessage {
  /**
   * Header of the message: its id and method. For errors, progress and cancellations, which the connection reads, it also
   * contains a part of the error or params.
   */
  readonly outline: JSONRPCMessage;
  /** Raw bytes in the parts in which they arrived, to be forwarded without copying. */
  readonly parts: readonly Buffer[];
  /** Position of the value of `id` in the bytes, for replacing the id; undefined if there is no id or its position is unknown. */
  readonly idSpan: ByteSpan | undefined;
  readonly #reader: LongReader;

  constructor(
    outline: JSONRPCMessage,
    parts: readonly Buffer[],
    idSpan: ByteSpan | undefined,
    reader: LongReader,
  ) {
    this.outline = outline;
    this.parts = parts;
    this.idSpan = idSpan;
    this.#reader = reader;
  }

  get byteLength(): number {
    return lengthOf(this.parts);
  }

  /** Bytes in one piece; copied if they arrived in several parts. */
  get bytes(): Buffer {
    return firstBytes(this.parts, Infinity);
  }

  /** Frees the memory of the bytes. Only the message's sole user may call it, because the message cannot be read afterwards. */
  free(): void {
    this.parts.forEach(freeMemory);
  }

  /** Returns a copy of the first bytes. */
  head(bytes: number): Buffer {
    return firstBytes(this.parts, bytes);
  }

  /**
   * Parses the result or the params.
   * @throws PanelError PROTOCOL_ERROR if they contain more than 100 000 values; the abort reason of the signal
   */
  async body(signal?: AbortSignal): Promise<Record<string, unknown>> {
    const read = await this.#ask<'value'>({ ask: 'value' }, signal);
    if (read.is === 'value') return bodyIn(read.value);
    if (read.is !== 'too-many') throw new PanelError('PROTOCOL_ERROR', UNREADABLE[read.is]);
    const { valueCount } = read;
    const found = `It has ${valueCount} values or more; at most ${MAX_VALUES} are read.`;
    throw new PanelError('PROTOCOL_ERROR', `The message of the server is too large. ${found}`, {
      data: { valueCount, bytes: this.byteLength },
    });
  }

  /** Parses the result or params within `bounds`; reports omissions. @throws the signal's reason; PanelError PROTOCOL_ERROR */
  bounded(bounds: DataBounds, signal?: AbortSignal): Promise<BoundedData> {
    return this.#ask<'bounded'>({ ask: 'bounded', bounds }, signal);
  }

  /** Reads the list in the member `name` of the result. @throws PanelError PROTOCOL_ERROR */
  list(name: string): Promise<LongList> {
    return this.#ask<'list'>({ ask: 'list', name });
  }

  #ask<K extends keyof ParserAnswers>(
    question: Extract<ParserRequest, { ask: K }>,
    signal?: AbortSignal,
  ): Promise<ParserAnswers[K]> {
    const answer = this.#reader.ask<K>(this.parts, question, signal);
    return signal ? abortable(answer, signal) : answer;
  }
}

const FAULTS = {
  'not-json': 'it is not JSON',
  'bad-utf8': 'it is not UTF-8',
  'not-a-message': 'it is not a message',
  'not-handled': 'it cannot be parsed',
};
const unreadable = (why: string) => `The message of the server cannot be read: ${why}.`;
const UNREADABLE = {
  'not-json': unreadable(FAULTS['not-json']),
  'bad-utf8': unreadable(FAULTS['bad-utf8']),
  'too-deep': unreadable('it is nested too deeply'),
};

/** Result of a request: a value, or raw bytes if it is too long to be parsed on the main thread. */
export type RawResult =
  | { readonly kind: 'parsed'; readonly result: Record<string, unknown> }
  | { readonly kind: 'long'; readonly message: LongMessage };

/** Returns the result, parsed if it is long. @throws as `LongMessage.body` does */
export async function parsedResult(raw: RawResult, signal?: AbortSignal): Promise<Record<string, unknown>> {
  return raw.kind === 'parsed' ? raw.result : raw.message.body(signal);
}

/** What the bytes of a long message turned out to be. */
export type LongRead =
  | { readonly is: 'message'; readonly message: LongMessage }
  /** A request or notification whose params were dropped because they are too long. */
  | { readonly is: 'asked'; readonly asked: JSONRPCMessage }
  | LongFault;

export interface LongFault {
  readonly is: 'noise';
  readonly noise: MalformedOutput['noise'];
  /** What is wrong with the bytes, as a clause like "it is not JSON". */
  readonly fault: string;
  /** The answer that the bytes were probably meant to be, with its id; undefined if that is not certain. */
  readonly answer: UnreadableAnswer | undefined;
}

/**
 * Reads the header of a long message from its first and last bytes, which nearly always suffice. Otherwise parses the whole
 * message in the parser thread and returns a promise.
 */
export function readLong(parts: readonly Buffer[], reader: LongReader): LongRead | Promise<LongRead> {
  const [head, tail] = [firstBytes(parts, EDGE_BYTES), lastBytes(parts, EDGE_BYTES)];
  const edges = edgesOf(head, tail, lengthOf(parts));
  const outline = edges && outlineBy(edges);
  if (!outline) return readElsewhere({ parts, reader, head, tail, idSpan: undefined });
  const { idSpan } = edges;
  if ('result' in outline) return { is: 'message', message: new LongMessage(outline, parts, idSpan, reader) };
  const isEnough = 'method' in outline && !LOOKED_INTO.includes(outline.method);
  if (!isEnough) return readElsewhere({ parts, reader, head, tail, idSpan });
  return withinBounds(new LongMessage(outline, parts, idSpan, reader));
}

/** Returns the message's header, as far as the line's edges show it with certainty. An error's code and text are left empty. */
function outlineBy(edges: LineEdges): JSONRPCMessage | undefined {
  if (!edges.isWhole) return undefined;
  if (edges.body === 'params') return requestIn(edges);
  const { members } = edges;
  const id = idIn(members.get('id'));
  if (id === undefined || members.has('method') || members.get('jsonrpc') !== '"2.0"') return undefined;
  if (edges.body === 'error') return { jsonrpc: '2.0', id, error: { code: 0, message: '' } };
  return { jsonrpc: '2.0', id, result: {} };
}

function idIn(text: string | undefined): string | number | undefined {
  try {
    const id: unknown = JSON.parse(text ?? '');
    return typeof id === 'string' || Number.isSafeInteger(id) ? (id as string | number) : undefined;
  } catch {
    return undefined; // The edges contain digits or control characters that JSON does not allow.
  }
}

interface Unclear {
  readonly parts: readonly Buffer[];
  readonly reader: LongReader;
  readonly head: Buffer;
  readonly tail: Buffer;
  /** Position of the value of `id`; undefined if the edges do not reveal it. */
  readonly idSpan: ByteSpan | undefined;
}

async function readElsewhere({ parts, reader, head, tail, idSpan }: Unclear): Promise<LongRead> {
  const found = await reader
    .ask<'outline'>(parts, { ask: 'outline', wantsCopy: idSpan === undefined })
    .catch(() => ({ is: 'not-handled' as const }));
  if (found.is !== 'message') {
    const fault = FAULTS[found.is];
    // The tail of text that is not JSON is ignored, because a truncated line may happen to end like an answer.
    const meant = unparsedAnswer(fault, head, found.is === 'not-json' ? undefined : tail);
    return { is: 'noise', noise: found.is, fault, answer: 'answer' in found ? found.answer : meant };
  }
  const { outline, copy } = found;
  if (!copy) return withinBounds(new LongMessage(outline, parts, idSpan, reader));
  // The thread serialized the message again and put the id at the beginning, so the edges of the copy reveal the position of
  // the id.
  const own = Buffer.from(copy.buffer, copy.byteOffset, copy.byteLength);
  const edges = edgesOf(own.subarray(0, EDGE_BYTES), own.subarray(-EDGE_BYTES), own.length);
  return withinBounds(new LongMessage(outline, [own], edges?.idSpan, reader));
}

function withinBounds(message: LongMessage): LongRead {
  const { outline, byteLength } = message;
  if (!('method' in outline) || byteLength <= MAX_PARAMS_BYTES) return { is: 'message', message };
  const asked = { jsonrpc: outline.jsonrpc, method: outline.method };
  return { is: 'asked', asked: 'id' in outline ? { ...asked, id: outline.id } : asked };
}
