import { isUtf8 } from 'node:buffer';
import { isJsonObject } from '../../../../shared/json-object.ts';
import { EnvelopeScanner, type Scanned } from '../../supervisor/connection/envelope-scanner.ts';
import { isMessage } from '../../supervisor/connection/message-form.ts';
import type { InboundMessage } from '../types.ts';
import { JsonDepth } from './json-depth.ts';
import { INVALID_REQUEST, PARSE_ERROR, refused, type Refused } from './refusal.ts';

/** A longer body is not parsed, because that may take longer than a turn should; its envelope is read as it comes. */
export const MAX_PARSED_BYTES = 64 * 1024;
/** Programs that call themselves for each level run out of stack at some thousands. */
const MAX_DEPTH = 500;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const ENVELOPE = new Set(['jsonrpc', 'id', 'method', 'params', 'result', 'error']);
const LONGEST_NAME = 128;
const OPENING_BRACKET = '['.charCodeAt(0);

export type ReadMessage = { readonly kind: 'message'; readonly message: InboundMessage } | Refused;

/** Reads a body of at most 64 KiB. */
export function parseMessage(bytes: Buffer): ReadMessage {
  const depth = new JsonDepth();
  // Each level takes a byte at least.
  if (bytes.length > MAX_DEPTH) depth.push(bytes);
  const unusable = hasMark(bytes) ? notJson('a byte order mark') : tooDeep(depth);
  if (unusable) return unusable;
  if (!isUtf8(bytes)) return notJson('bytes that are no UTF-8');
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch {
    return notJson('something else');
  }
  if (isMessage(withWholeId(value))) return { kind: 'message', message: value as InboundMessage };
  return Array.isArray(value) ? batch() : noMessage();
}

/** Reads a longer body by its envelope, while it comes. */
export class LongMessageReader {
  readonly #depth = new JsonDepth();
  readonly #scanner = new StrictScanner();

  get byteLength(): number {
    return this.#scanner.byteLength;
  }

  push(part: Uint8Array): void {
    this.#depth.push(part);
    this.#scanner.push(part);
  }

  end(): ReadMessage {
    const unusable = hasMark(this.#scanner.slice(0, BYTE_ORDER_MARK.length))
      ? notJson('a byte order mark')
      : tooDeep(this.#depth);
    return unusable ?? this.#read(this.#scanner.end());
  }

  #read(scanned: Scanned): ReadMessage {
    switch (scanned.is) {
      case 'bad-utf8':
        return notJson('bytes that are no UTF-8');
      case 'not-json':
        return notJson('something else');
      case 'not-a-message':
        return isList(this.#scanner.bytes) ? batch() : noMessage();
      case 'message': {
        if (this.#scanner.hasTwins) return noMessage();
        const { message } = scanned;
        return { kind: 'message', message: { ...(message.outline as InboundMessage), long: message } };
      }
    }
  }
}

/**
 * Notices a field of the envelope that is there twice. A long message goes on as the bytes that came, and a server might take
 * the other one of two methods.
 */
class StrictScanner extends EnvelopeScanner {
  readonly #names = new Set<string>();
  #hasTwins = false;

  get hasTwins(): boolean {
    return this.#hasTwins;
  }

  override onName(depth: number, start: number, end: number): void {
    if (depth === 1 && end - start <= LONGEST_NAME) {
      const name = String(JSON.parse(this.slice(start, end).toString()));
      if (this.#names.has(name)) this.#hasTwins = true;
      else if (ENVELOPE.has(name)) this.#names.add(name);
    }
    super.onName(depth, start, end);
  }
}

/** With another id in the place of a fraction, which JSON-RPC and the protocol's schema allow and the SDK's schema does not. */
function withWholeId(value: unknown): unknown {
  if (!isJsonObject(value)) return value;
  const { id } = value;
  const isFraction = typeof id === 'number' && !Number.isInteger(id) && Number.isFinite(id);
  return isFraction ? { ...value, id: 0 } : value;
}

function hasMark(bytes: Buffer): boolean {
  return bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
}

function isList(bytes: Buffer): boolean {
  return bytes.find((byte) => byte > 0x20) === OPENING_BRACKET;
}

function notJson(found: string): Refused {
  return refused(400, 'malformed', {
    code: PARSE_ERROR,
    message: `body: expected JSON in UTF-8, found ${found}`,
  });
}

function tooDeep({ deepest }: JsonDepth): Refused | undefined {
  if (deepest <= MAX_DEPTH) return undefined;
  return refused(400, 'malformed', {
    code: INVALID_REQUEST,
    message: `body: expected at most ${MAX_DEPTH} levels, found more`,
  });
}

function batch(): Refused {
  return refused(400, 'malformed', {
    code: INVALID_REQUEST,
    message: 'body: expected one message, found a batch, which the protocol has no more',
  });
}

function noMessage(): Refused {
  return refused(400, 'malformed', {
    code: INVALID_REQUEST,
    message: 'body: expected a message of JSON-RPC 2.0, each of its fields once',
  });
}
