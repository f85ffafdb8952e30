import type { IncomingMessage } from 'node:http';
import type { CurrentTask } from '../../current-task.ts';
import { readInTurns } from '../../read-in-turns.ts';
import { bodyTooLarge, MAX_BODY_BYTES, refused, type Refused } from './guard.ts';
import type { Place } from './limits.ts';
import { ByteParts, firstBytes } from '../../mcp/bytes.ts';
import { MAX_PARSED_BYTES } from '../../mcp/long-message.ts';
import type { LongReader, WholeValue } from '../../mcp/worker/questions.ts';
import { isUtf8 } from 'node:buffer';
import { isJsonObject } from '../../../../shared/json-object.ts';
import { isMessage, MAX_DEPTH, MAX_VALUES, sizeOf } from '../../mcp/message-form.ts';
import { INTERNAL_ERROR, INVALID_REQUEST, PARSE_ERROR } from '../../mcp/rpc-error.ts';
import type { InboundMessage } from '../types.ts';

/**
 * Maximum bytes of a refused request that are read and discarded. They are read because many senders read the answer only after
 * they have sent everything. If more bytes come, the connection is closed.
 */
const MAX_DRAINED_BYTES = 64 * 1024 * 1024;

interface BodyReading {
  /** The request's slot in the limits of its client. Through it the body reserves bytes from the budget for all long bodies. */
  readonly place: Place;
  readonly currentTask: Pick<CurrentTask, 'run'>;
  readonly reader: LongReader;
  /** Called once, or never if the client disconnects before the end of the body. */
  readonly onRead: (read: ReadMessage) => void;
}

/** Reads the one JSON-RPC message of a request. */
export function readBody(req: IncomingMessage, reading: BodyReading): void {
  if (Number(req.headers['content-length']) <= MAX_PARSED_BYTES) readShort(req, reading);
  else readLong(req, reading);
}

/**
 * Reads a body that is short according to its `Content-Length`, as nearly all bodies are. The size is not checked again,
 * because the parser of Node.js enforces the stated length.
 */
function readShort(req: IncomingMessage, { currentTask, onRead }: BodyReading): void {
  let first: Buffer | undefined;
  let others: Buffer[] | undefined;
  req.on('data', (part: Buffer) => {
    if (first) (others ??= []).push(part);
    else first = part;
  });
  req.on('end', () => {
    if (!req.complete) return;
    const bytes = others ? Buffer.concat([first!, ...others]) : (first ?? NOTHING);
    currentTask.run('serve-clients', undefined, () => onRead(parseMessage(bytes)));
  });
}

function readLong(req: IncomingMessage, { place, currentTask, reader, onRead }: BodyReading): void {
  const body = new Body(place);
  let isRead = false;
  const tell = (read: ReadMessage) => {
    isRead = true;
    onRead(read);
  };
  readInTurns(req, {
    onPart: (part) =>
      currentTask.run('serve-clients', undefined, () => {
        const failure = isRead ? drained(req, body, part) : body.push(part);
        if (failure) tell(failure);
      }),
    onEnd: () =>
      currentTask.run('serve-clients', undefined, () => {
        if (isRead || !req.complete) return;
        const read = body.end(reader);
        if (!(read instanceof Promise)) return tell(read);
        void read.then((late) => currentTask.run('serve-clients', undefined, () => tell(late)));
      }),
  });
}

/** Discards the rest of a request that is already answered, up to a limit. */
export function drainBody(req: IncomingMessage): void {
  if (!hasBody(req)) return;
  let bytes = 0;
  readInTurns(req, {
    onPart: (part) => {
      bytes += part.length;
      if (bytes > MAX_DRAINED_BYTES) req.destroy();
    },
  });
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function drained(req: IncomingMessage, body: Body, part: Buffer): undefined {
  body.bytes += part.length;
  if (body.bytes > MAX_DRAINED_BYTES) req.destroy();
}

class Body {
  readonly #place: Place;
  #parts = new ByteParts();
  bytes = 0;

  constructor(place: Place) {
    this.#place = place;
  }

  /** Adds a part of the body. Returns a refusal if the body is too long, or if all long bodies together need too much memory. */
  push(part: Buffer): ReadMessage | undefined {
    const before = this.bytes;
    this.bytes += part.length;
    if (this.bytes > MAX_BODY_BYTES) return this.#giveUp(bodyTooLarge());
    const held = before > MAX_PARSED_BYTES ? part.length : this.bytes;
    if (this.bytes > MAX_PARSED_BYTES && !this.#place.take(held)) return this.#giveUp(tooMuch());
    this.#parts.append(part);
    return undefined;
  }

  end(reader: LongReader): ReadMessage | Promise<ReadMessage> {
    const { parts } = this.#parts;
    return this.bytes > MAX_PARSED_BYTES ? parseLong(parts, reader) : parseMessage(Buffer.concat(parts));
  }

  #giveUp(failure: ReadMessage): ReadMessage {
    this.#parts = new ByteParts();
    return failure;
  }
}

function tooMuch(): ReadMessage {
  const message = 'The panel already handles as many long requests as it may: try again soon.';
  return refused(503, 'busy', message, { headers: { 'Retry-After': '1' } });
}

const NOTHING = Buffer.alloc(0);
const MARK_BYTES = 3;
const NOT_JSON = { 'bad-utf8': 'bytes that are not UTF-8', 'not-json': 'something else' } as const;

export type ReadMessage = { readonly kind: 'message'; readonly message: InboundMessage } | Refused;

/** Parses a body of at most 64 KiB. */
export function parseMessage(bytes: Buffer): ReadMessage {
  if (hasMark(bytes)) return notJson('a byte order mark');
  if (!isUtf8(bytes)) return notJson(NOT_JSON['bad-utf8']);
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch {
    return notJson(NOT_JSON['not-json']);
  }
  // The depth is computed only if it can be too large: each level of nesting takes at least one byte.
  const isTooDeep = bytes.length > MAX_DEPTH && sizeOf(value).depth > MAX_DEPTH;
  return isTooDeep ? tooDeep() : messageIn(value);
}

/** Parses a longer body in the worker thread. Never rejects. */
async function parseLong(parts: readonly Buffer[], reader: LongReader): Promise<ReadMessage> {
  if (hasMark(firstBytes(parts, MARK_BYTES))) return notJson('a byte order mark');
  const read = await reader.ask<'value'>(parts, { ask: 'value' }).catch(() => undefined);
  if (!read) return unread();
  switch (read.is) {
    case 'value':
      return messageIn(read.value);
    case 'too-many':
      return tooManyValues(read);
    case 'too-deep':
      return tooDeep();
    default:
      return notJson(NOT_JSON[read.is]);
  }
}

/** Returns the refusal of a body that the worker thread did not read, because the thread ended or has no more room. */
function unread(): Refused {
  return refused(503, 'busy', 'The panel could not read the request: ask for less at a time.');
}

function messageIn(value: unknown): ReadMessage {
  if (isMessage(withWholeId(value))) return { kind: 'message', message: value as InboundMessage };
  return malformed(
    Array.isArray(value)
      ? 'body: expected one message, found a batch, which the protocol no longer has'
      : 'body: expected a message of JSON-RPC 2.0, each of its fields once',
  );
}

/** Returns the refusal of a message with too many values. If it replies to a server request, the server gets an error instead. */
function tooManyValues({ valueCount, outline }: Extract<WholeValue, { is: 'too-many' }>): ReadMessage {
  const { method, id } = isJsonObject(outline) ? outline : {};
  const found = `body: expected at most ${MAX_VALUES} values, found ${valueCount}`;
  if (method === undefined && id !== undefined) {
    const error = { code: INTERNAL_ERROR, message: 'The answer of the client is too large.' };
    return { kind: 'message', message: { jsonrpc: '2.0', id: id as InboundMessage['id'] & {}, error } };
  }
  return malformed(`${found}: ask for less at a time, or send the content as one text`);
}

/**
 * Replaces an id that is not a whole number, but only for the check of the message. JSON-RPC and the schema of the protocol
 * allow such ids, while the SDK's schema, which the check follows, does not.
 */
function withWholeId(value: unknown): unknown {
  if (!isJsonObject(value)) return value;
  const { id } = value;
  const isFraction = typeof id === 'number' && !Number.isInteger(id) && Number.isFinite(id);
  return isFraction ? { ...value, id: 0 } : value;
}

function hasMark(bytes: Buffer): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

function malformed(message: string, code: number = INVALID_REQUEST): Refused {
  return refused(400, 'malformed', message, { code });
}

const notJson = (found: string): Refused =>
  malformed(`body: expected JSON in UTF-8, found ${found}`, PARSE_ERROR);

const tooDeep = (): Refused => malformed(`body: expected at most ${MAX_DEPTH} levels, found more`);
