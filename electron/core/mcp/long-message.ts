import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { PanelError } from '../../../shared/error-codes.ts';
import type { BoundedData, DataBounds } from '../../../shared/plain-data.ts';
import { abortable } from '../wait.ts';
import { firstBytes, lastBytes, lengthOf } from './bytes.ts';
import { requestIn, EDGE_BYTES, edgesOf, type LineEdges, type ByteSpan } from './line-edges.ts';
import { bodyIn, MAX_VALUES } from './message-form.ts';
import type { MalformedOutput } from './malformed-output.ts';
import { unparsedAnswer, type UnreadableAnswer } from './unreadable-answer.ts';
import type { ParserAnswers, LongList, LongReader, ParserRequest } from './worker/questions.ts';

/** A longer message is not parsed in the main loop, because that may take longer than a turn should. */
export const MAX_PARSED_BYTES = 64 * 1024;
/** Nobody reads the params of requests and notifications that are longer. */
const MAX_PARAMS_BYTES = 1024 * 1024;
/** A connection itself looks at what they say. */
const LOOKED_INTO: readonly string[] = ['notifications/progress', 'notifications/cancelled'];

interface LongMessageParts {
  readonly outline: JSONRPCMessage;
  readonly parts: readonly Buffer[];
  readonly idSpan: ByteSpan | undefined;
  readonly reader: LongReader;
}

/** A message that is too long to be parsed in the main loop: what is known of it, and the bytes that came. */
export class LongMessage {
  /**
   * The message as if it were short: with its id and method. Only of an error and of what a connection looks at (progress
   * and cancellation), there is a part of the rest, too.
   */
  readonly outline: JSONRPCMessage;
  /** The bytes where they lie, for those who hand them on. */
  readonly parts: readonly Buffer[];
  /** The value of `id`, where there is one: other bytes may be put in its place. */
  readonly idSpan: ByteSpan | undefined;
  readonly #reader: LongReader;

  constructor({ outline, parts, idSpan, reader }: LongMessageParts) {
    this.outline = outline;
    this.parts = parts;
    this.idSpan = idSpan;
    this.#reader = reader;
  }

  get byteLength(): number {
    return lengthOf(this.parts);
  }

  /** The bytes in one piece, copied where they lie in more. */
  get bytes(): Buffer {
    return firstBytes(this.parts, Infinity);
  }

  /** The first of its bytes, copied. */
  head(bytes: number): Buffer {
    return firstBytes(this.parts, bytes);
  }

  /**
   * Its result or its params.
   * @throws PanelError PROTOCOL_ERROR when they hold more than 100 000 values; what the signal was aborted with
   */
  async body(signal?: AbortSignal): Promise<Record<string, unknown>> {
    const read = await this.#ask<'value'>({ ask: 'value' }, signal);
    if (read.is === 'value') return bodyIn(read.value);
    if (read.is !== 'too-many') throw new PanelError('PROTOCOL_ERROR', UNREADABLE[read.is]);
    const { valueCount } = read;
    const found = `It holds ${valueCount} values or more; at most ${MAX_VALUES} are read.`;
    throw new PanelError('PROTOCOL_ERROR', `The message of the server is too large. ${found}`, {
      data: { valueCount, bytes: this.byteLength },
    });
  }

  /** The body within `bounds`, and what it lacks. @throws what the signal was aborted with; PanelError PROTOCOL_ERROR */
  bounded(bounds: DataBounds, signal?: AbortSignal): Promise<BoundedData> {
    return this.#ask<'bounded'>({ ask: 'bounded', bounds }, signal);
  }

  /** A list in its result. @throws PanelError PROTOCOL_ERROR */
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

/** The result of a request: as a value, or, where it is too long to be parsed in the main loop, as the bytes that came. */
export type RawResult =
  | { readonly kind: 'parsed'; readonly result: Record<string, unknown> }
  | { readonly kind: 'long'; readonly message: LongMessage };

/** The result as a value. @throws as `LongMessage.body` does */
export async function parsedResult(raw: RawResult, signal?: AbortSignal): Promise<Record<string, unknown>> {
  return raw.kind === 'parsed' ? raw.result : raw.message.body(signal);
}

/** What long bytes are. */
export type LongRead =
  | { readonly is: 'message'; readonly message: LongMessage }
  /** A request or notification, without params that are too long for anybody. */
  | { readonly is: 'asked'; readonly asked: JSONRPCMessage }
  | LongFault;

export interface LongFault {
  readonly is: 'noise';
  readonly noise: MalformedOutput['noise'];
  /** A clause. */
  readonly fault: string;
  /** The request that they were meant to answer, where that is certain. */
  readonly answer: UnreadableAnswer | undefined;
}

/** Reads long bytes: by their edges, which nearly always tell enough, or else, and then later, by parsing them elsewhere. */
export function readLong(parts: readonly Buffer[], reader: LongReader): LongRead | Promise<LongRead> {
  const [head, tail] = [firstBytes(parts, EDGE_BYTES), lastBytes(parts, EDGE_BYTES)];
  const edges = edgesOf(head, tail, lengthOf(parts));
  const outline = edges && outlineBy(edges);
  if (!outline) return readElsewhere({ parts, reader, head, tail, idSpan: undefined });
  const { idSpan } = edges;
  if ('result' in outline)
    return { is: 'message', message: new LongMessage({ outline, parts, idSpan, reader }) };
  const isEnough = 'method' in outline && !LOOKED_INTO.includes(outline.method);
  if (!isEnough) return readElsewhere({ parts, reader, head, tail, idSpan });
  return withinBounds(new LongMessage({ outline, parts, idSpan, reader }));
}

/** The message, as far as the edges of its line tell it for certain. Of an error no more than that it is one. */
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
    return undefined; // Digits or controls that JSON does not know.
  }
}

interface Unclear {
  readonly parts: readonly Buffer[];
  readonly reader: LongReader;
  readonly head: Buffer;
  readonly tail: Buffer;
  /** Undefined where the edges do not tell it. */
  readonly idSpan: ByteSpan | undefined;
}

async function readElsewhere({ parts, reader, head, tail, idSpan }: Unclear): Promise<LongRead> {
  const found = await reader
    .ask<'outline'>(parts, { ask: 'outline', wantsCopy: idSpan === undefined })
    .catch(() => ({ is: 'not-handled' as const }));
  if (found.is !== 'message') {
    const fault = FAULTS[found.is];
    // What breaks off somewhere may end as an answer does.
    const meant = unparsedAnswer(fault, head, found.is === 'not-json' ? undefined : tail);
    return { is: 'noise', noise: found.is, fault, answer: 'answer' in found ? found.answer : meant };
  }
  const { outline, copy } = found;
  if (!copy) return withinBounds(new LongMessage({ outline, parts, idSpan, reader }));
  // Written anew, so that its id stands where it is looked for.
  const own = Buffer.from(copy.buffer, copy.byteOffset, copy.byteLength);
  const edges = edgesOf(own.subarray(0, EDGE_BYTES), own.subarray(-EDGE_BYTES), own.length);
  return withinBounds(new LongMessage({ outline, parts: [own], idSpan: edges?.idSpan, reader }));
}

function withinBounds(message: LongMessage): LongRead {
  const { outline, byteLength } = message;
  if (!('method' in outline) || byteLength <= MAX_PARAMS_BYTES) return { is: 'message', message };
  const asked = { jsonrpc: outline.jsonrpc, method: outline.method };
  return { is: 'asked', asked: 'id' in outline ? { ...asked, id: outline.id } : asked };
}
