import { isUtf8 } from 'node:buffer';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { ByteSegments } from './byte-segments.ts';
import { JsonScanner, type JsonSink } from './json-scanner.ts';
import { textAroundMiddle } from './json-text.ts';
import type { LongMessage, Span } from './long-message.ts';
import { isMessage } from './message-form.ts';

/** What the bytes were: a message, or something else. `outline` is what the message would be, as far as its envelope says. */
export type Scanned =
  | { readonly is: 'message'; readonly message: LongMessage }
  | { readonly is: 'not-a-message'; readonly outline: unknown }
  | { readonly is: 'not-json' }
  | { readonly is: 'bad-utf8' };

interface Value extends Span {
  /** The first byte, which tells the type. */
  readonly byte: number;
}

interface Field extends Value {
  /** Of an object: those of its fields that are looked at. */
  readonly inner: Map<string, Value>;
}

/** Of each field of a message, the fields that a connection looks at; see `LongMessage.outline`. */
const LOOKED_AT: ReadonlyMap<string, readonly string[]> = new Map([
  ['jsonrpc', []],
  ['id', []],
  ['method', []],
  ['result', ['_meta']],
  ['error', ['code', 'message', 'data']],
  ['params', ['_meta', 'progressToken', 'progress', 'total', 'message', 'requestId', 'reason']],
]);
/** Stands for all other names, of which there may be a million: a message with any of them is none. */
const OTHER = '';
/** A longer name is none of these, however its characters are escaped. */
const MAX_NAME_BYTES = 128;
/** Longer fields are not parsed. */
const MAX_FIELD_BYTES = 64 * 1024;
/** Less than `PanelError` keeps of a message, or it would cut the statement of what is left out. */
const [HEAD_BYTES, TAIL_BYTES] = [5000, 2000];
const QUOTE = 0x22;
const OBJECT = 0x7b;
const LIST = 0x5b;

/**
 * Reads the envelope of a long message while its bytes come; the body is kept as it is and never parsed. The work of a
 * `push` is some nanoseconds per byte: hand in no more than a turn may take. The bytes are bounded by the caller.
 */
export class EnvelopeScanner implements JsonSink {
  readonly maxDepth = 2;
  readonly #scanner = new JsonScanner(this);
  readonly #kept = new ByteSegments();
  readonly #fields = new Map<string, Field>();
  #name = '';
  #innerName = '';
  #open: Omit<Field, 'end'> | undefined;
  #openInner: Omit<Value, 'end'> | undefined;
  #isObject = false;
  #isUtf8 = true;
  #checkedBytes = 0;

  get byteLength(): number {
    return this.#kept.length;
  }
  /** The bytes so far in one piece, which is made of them for the one who asks: not for each `push`. */
  get bytes(): Buffer {
    return this.#kept.bytes;
  }
  /** Some of the bytes so far. */
  slice(start: number, end?: number): Buffer {
    return this.#kept.slice(start, end ?? this.byteLength);
  }

  push(chunk: Uint8Array): void {
    this.#kept.append(chunk);
    this.#scan(chunk);
  }

  /** The same for a part whose memory nobody writes to any more: it is kept where it lies. */
  pushOwned(part: Buffer): void {
    this.#kept.adopt(part);
    this.#scan(part);
  }

  /** The message is over. */
  end(): Scanned {
    const isJson = this.#scanner.end();
    this.#checkUtf8(this.byteLength);
    if (!this.#isUtf8) return { is: 'bad-utf8' };
    if (!isJson) return { is: 'not-json' };
    const outline = this.#outline();
    return isMessage(outline)
      ? { is: 'message', message: this.#message(outline) }
      : { is: 'not-a-message', outline };
  }

  onName(depth: number, start: number, end: number): void {
    const isShort = end - start <= MAX_NAME_BYTES;
    const name = isShort ? String(JSON.parse(this.slice(start, end).toString())) : '';
    if (depth === 1) this.#name = LOOKED_AT.has(name) ? name : OTHER;
    else this.#innerName = name;
  }

  onBegin(depth: number, start: number, byte: number): void {
    if (depth === 0) this.#isObject = byte === OBJECT;
    if (depth === 1) this.#open = { start, byte, inner: new Map() };
    if (depth === 2) this.#openInner = { start, byte };
  }

  onEnd(depth: number, end: number): void {
    if (depth === 1 && this.#open) this.#fields.set(this.#name, { ...this.#open, end });
    if (depth !== 2 || this.#open?.byte !== OBJECT || !this.#openInner) return;
    if (LOOKED_AT.get(this.#name)?.includes(this.#innerName) !== true) return;
    this.#open.inner.set(this.#innerName, { ...this.#openInner, end });
  }

  #scan(chunk: Uint8Array): void {
    this.#checkUtf8(this.byteLength - halfCharacter(this.slice(Math.max(0, this.byteLength - 3))));
    this.#scanner.push(chunk);
  }

  #checkUtf8(end: number): void {
    if (!this.#isUtf8 || end <= this.#checkedBytes) return;
    this.#isUtf8 = isUtf8(this.slice(this.#checkedBytes, end));
    this.#checkedBytes = end;
  }

  #outline(): unknown {
    if (!this.#isObject) return [];
    return Object.fromEntries([...this.#fields].map(([name, field]) => [name, this.#fieldValue(field)]));
  }

  #fieldValue(field: Field): unknown {
    if (field.byte !== OBJECT) return this.#value(field);
    const values = [...field.inner].map(([name, inner]) => [name, this.#innerValue(name, inner)] as const);
    return Object.fromEntries(values.filter(([, value]) => value !== undefined));
  }

  #innerValue(name: string, inner: Value): unknown {
    if (name !== '_meta' || !isLong(inner)) return this.#value(inner);
    // It has the form of one as far as anybody looks.
    return inner.byte === OBJECT ? {} : null;
  }

  /** Undefined for what is too long, but for texts. */
  #value(value: Value): unknown {
    if (!isLong(value)) return JSON.parse(this.slice(value.start, value.end).toString());
    if (value.byte === LIST) return [];
    return value.byte === QUOTE ? textAroundMiddle(this.bytes, value, HEAD_BYTES, TAIL_BYTES) : undefined;
  }

  #message(outline: JSONRPCMessage): LongMessage {
    const error = 'error' in outline ? outline.error : undefined;
    const kept = this.#kept;
    return {
      kind: kindOf(outline),
      id: 'id' in outline ? outline.id : undefined,
      method: 'method' in outline ? outline.method : undefined,
      errorCode: error?.code,
      errorMessage: error?.message,
      outline,
      get bytes() {
        return kept.bytes;
      },
      parts: kept.parts,
      bodySpan: this.#spanOf('method' in outline ? 'params' : error ? 'error' : 'result'),
      idSpan: this.#spanOf('id'),
      valueCount: this.#scanner.valueCount,
    };
  }

  #spanOf(name: string): Span | undefined {
    const field = this.#fields.get(name);
    return field && { start: field.start, end: field.end };
  }
}

function kindOf(outline: JSONRPCMessage): LongMessage['kind'] {
  if ('method' in outline) return 'id' in outline ? 'request' : 'notification';
  return 'error' in outline ? 'error' : 'result';
}

function isLong({ start, end }: Span): boolean {
  return end - start > MAX_FIELD_BYTES;
}

/** How many bytes at the end of `bytes`, the last three of some UTF-8, are a character that is not over. */
function halfCharacter(bytes: Buffer): number {
  for (let back = 1; back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? back : 0;
  }
  return 0;
}
