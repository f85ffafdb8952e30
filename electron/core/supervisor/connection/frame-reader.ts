import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { ByteBuffer } from './byte-buffer.ts';
import { EnvelopeScanner, type Scanned } from './envelope-scanner.ts';
import type { LongMessage } from './long-message.ts';
import { isMessage } from './message-form.ts';
import { askedIn } from './unparsed-request.ts';
import { answeredIdIn, answerIn, type UnreadableAnswer } from './unreadable-answer.ts';

/** Something on the protocol's pipe that is not a message, or none that can be handled. Counted and shown, never fatal. */
export interface FrameNoise {
  readonly noise:
    | 'not-json'
    | 'not-a-message'
    | 'bad-utf8'
    | 'too-long'
    | 'too-many'
    | 'cut-off'
    | 'unmatched'
    | 'not-handled';
  /** The first characters, control characters replaced. */
  readonly excerpt: string;
  readonly bytes: number;
}

export interface FrameReaderOptions {
  /** Longest line that is read; a longer one is skipped up to its newline. */
  readonly maxLineBytes?: number;
  /** With the text that it was, unless that was too long to be kept. */
  readonly onMessage: (message: JSONRPCMessage, text?: string) => void;
  /** A message that is too long to be parsed in one turn. Long requests and notifications of megabytes are noise, besides. */
  readonly onLongMessage: (message: LongMessage) => void;
  readonly onNoise: (noise: FrameNoise) => void;
  /** A noise, which was told just before, was meant to answer a request. */
  readonly onUnreadableAnswer?: (answer: UnreadableAnswer, noise: FrameNoise) => void;
}

const DEFAULT_MAX_LINE_BYTES = 16 * 1024 * 1024;
const EXCERPT_CHARACTERS = 200;
const EXCERPT_BYTES = EXCERPT_CHARACTERS * 4;
const NEWLINE = 10;
const BRACKETS: readonly string[] = ['{}', '[]', '""'];
const PLAIN_VALUE = /^(?:-?\d[\d.eE+-]*|true|false|null)$/;
const NOT_JSON = 'it is not JSON';
const NOT_UTF8 = 'it is not UTF-8';
/** A longer line is not parsed, because that may take longer than a turn should; its envelope is read as it comes. */
const MAX_PARSED_BYTES = 64 * 1024;
/** Nobody reads the params of requests and notifications that are longer. */
const MAX_PARAMS_BYTES = 1024 * 1024;
/** Enough for what stands before and behind the result of an answer. */
const EDGE_BYTES = 256;

/**
 * Cuts a byte stream into newline-delimited JSON-RPC messages (MCP specification, stdio transport). Survives every
 * input: each line stands alone, so a bad one costs itself only. Memory is bounded by `maxLineBytes`.
 */
export class FrameReader {
  readonly #options: FrameReaderOptions;
  readonly #maxLineBytes: number;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  /** The beginning of the current line, while it is short; of one that is skipped, enough for an excerpt. */
  readonly #line = new ByteBuffer();
  /** The current line, once it is long. */
  #long: EnvelopeScanner | undefined;
  #skippedBytes = 0;
  /** The last bytes of a line that is skipped. */
  #tail: Buffer = Buffer.alloc(0);

  constructor(options: FrameReaderOptions) {
    this.#options = options;
    this.#maxLineBytes = options.maxLineBytes ?? DEFAULT_MAX_LINE_BYTES;
  }

  /** @param chunk its memory must not be written to any more, because a long message keeps it */
  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#finishLine(chunk.subarray(start, end));
      start = end + 1;
    }
    if (start < chunk.length) this.#take(chunk.subarray(start));
  }

  /** The stream has ended: what stands without a newline is reported. */
  end(): void {
    const bytes = this.#skippedBytes > 0 ? this.#skippedBytes : this.#readBytes();
    if (bytes === 0) return;
    const head = this.#long?.slice(0, EXCERPT_BYTES) ?? this.#line.bytes;
    this.#options.onNoise({ noise: 'cut-off', excerpt: excerptOf(head), bytes });
    this.#reset();
  }

  #take(part: Buffer): void {
    if (this.#skippedBytes > 0) {
      this.#skippedBytes += part.length;
      this.#tail = lastBytes(this.#tail, part);
      return;
    }
    const length = this.#readBytes() + part.length;
    if (length > this.#maxLineBytes) this.#skip(this.#long?.bytes ?? this.#line.bytes, part);
    else if (this.#long) this.#long.pushOwned(part);
    else if (length > MAX_PARSED_BYTES) this.#scan(this.#line.bytes, part);
    else this.#line.append(part);
  }

  /** Of the current line, unless it is skipped. */
  #readBytes(): number {
    return this.#long?.byteLength ?? this.#line.length;
  }

  #scan(read: Buffer, part: Buffer): void {
    this.#long = new EnvelopeScanner();
    this.#long.push(read);
    this.#long.pushOwned(part);
    this.#line.clear();
  }

  /** Nothing more of the line is kept, but for its end. */
  #skip(read: Buffer, part: Buffer): void {
    this.#skippedBytes = read.length + part.length;
    this.#tail = lastBytes(read, part);
    const beginning = Buffer.concat([read, part].map((piece) => piece.subarray(0, EXCERPT_BYTES)));
    this.#long = undefined;
    this.#line.clear();
    this.#line.append(beginning.subarray(0, EXCERPT_BYTES));
  }

  #finishLine(rest: Buffer): void {
    try {
      this.#readWhole(rest);
    } finally {
      // Whatever a listener throws, the next line begins anew.
      this.#reset();
    }
  }

  #readWhole(rest: Buffer): void {
    // A short line that came in one chunk, as nearly all do, is read where it lies.
    const isHere = !this.#long && this.#line.length + this.#skippedBytes === 0;
    if (isHere && rest.length <= MAX_PARSED_BYTES && rest.length <= this.#maxLineBytes)
      return rest.length > 0 ? this.#readLine(rest) : undefined;
    this.#take(rest);
    if (this.#skippedBytes > 0) this.#skipped(this.#line.bytes, this.#tail, this.#skippedBytes);
    else if (this.#long) this.#readLong(this.#long);
    else this.#readLine(this.#line.bytes);
  }

  /** Too long to be kept. */
  #skipped(head: Buffer, tail: Buffer, bytes: number): void {
    const asked = askedIn(head.subarray(0, EDGE_BYTES), tail.subarray(-EDGE_BYTES));
    const fault = `it has more than the ${this.#maxLineBytes} bytes that a line may have`;
    const answer = asked === undefined ? unparsed(fault, head, tail) : undefined;
    this.#report({ noise: 'too-long', excerpt: excerptOf(head), bytes }, answer);
    if (asked) this.#hand(() => this.#options.onMessage(asked), head);
  }

  #readLong(scanner: EnvelopeScanner): void {
    const scanned = scanner.end();
    if (scanned.is !== 'message') {
      const line = scanner.bytes;
      return this.#report(noiseOf(scanned.is, line), faultyAnswer(scanned, line));
    }
    const { message } = scanned;
    const head = scanner.slice(0, EXCERPT_BYTES);
    const bytes = scanner.byteLength;
    if (!('method' in message.outline) || bytes <= MAX_PARAMS_BYTES)
      return this.#hand(() => this.#options.onLongMessage(message), head, bytes);
    this.#report({ noise: 'too-long', excerpt: excerptOf(head), bytes }, undefined);
    const asked = withoutParams(message.outline);
    this.#hand(() => this.#options.onMessage(asked), head, bytes);
  }

  #report(noise: FrameNoise, answer: UnreadableAnswer | undefined): void {
    this.#options.onNoise(noise);
    if (answer) this.#options.onUnreadableAnswer?.(answer, noise);
  }

  #readLine(line: Buffer): void {
    const report = (noise: FrameNoise['noise'], answer: UnreadableAnswer | undefined) =>
      this.#report(noiseOf(noise, line), answer);
    let text: string;
    try {
      text = this.#decoder.decode(line).trim();
    } catch {
      return report('bad-utf8', unparsed(NOT_UTF8, line, line));
    }
    if (text === '') return;
    // Two refusals that cost nothing: thrown and described in detail, each line of a flood takes ten times as long.
    if (!isLikeJson(text)) return report('not-json', unparsed(NOT_JSON, line));
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return report('not-json', unparsed(NOT_JSON, line));
    }
    if (isMessage(value)) this.#hand(() => this.#options.onMessage(value, text), line);
    else report('not-a-message', answerIn(value));
  }

  #hand(handOn: () => void, head: Buffer, bytes = head.length): void {
    try {
      handOn();
    } catch {
      // One message that its listeners cannot handle must not end the reading of the others.
      this.#report({ noise: 'not-handled', excerpt: excerptOf(head), bytes }, undefined);
    }
  }

  #reset(): void {
    this.#line.clear();
    this.#long = undefined;
    this.#skippedBytes = 0;
    this.#tail = Buffer.alloc(0);
  }
}

function noiseOf(noise: FrameNoise['noise'], line: Buffer): FrameNoise {
  return { noise, excerpt: excerptOf(line), bytes: line.length };
}

/** The answer that a long line was meant to be, where that is certain. */
function faultyAnswer(
  scanned: Exclude<Scanned, { is: 'message' }>,
  line: Buffer,
): UnreadableAnswer | undefined {
  if (scanned.is === 'not-a-message') return answerIn(scanned.outline);
  return scanned.is === 'bad-utf8' ? unparsed(NOT_UTF8, line, line) : unparsed(NOT_JSON, line);
}

/** What a server asks or tells, as a sign of life. */
function withoutParams(outline: Extract<JSONRPCMessage, { method: string }>): JSONRPCMessage {
  const asked = { jsonrpc: outline.jsonrpc, method: outline.method };
  return 'id' in outline ? { ...asked, id: outline.id } : asked;
}

/** The answer that a line was meant to be. A megabyte of it is searched no further than its edges. */
function unparsed(fault: string, head: Buffer, tail?: Buffer): UnreadableAnswer | undefined {
  const id = answeredIdIn(head.subarray(0, EDGE_BYTES), tail?.subarray(-EDGE_BYTES));
  return id === undefined ? undefined : { id, fault };
}

/** Copied: a chunk must not live on for its end. */
function lastBytes(before: Buffer, part: Buffer): Buffer {
  return Buffer.concat([before.subarray(-EDGE_BYTES), part.subarray(-EDGE_BYTES)]).subarray(-EDGE_BYTES);
}

/** False for what is no JSON at a glance. */
function isLikeJson(text: string): boolean {
  return BRACKETS.includes(text.charAt(0) + text.charAt(text.length - 1)) || PLAIN_VALUE.test(text);
}

/** The beginning of some bytes as one line of visible text. */
export function excerptOf(bytes: Buffer): string {
  const text = bytes.subarray(0, EXCERPT_BYTES).toString('utf8').slice(0, EXCERPT_CHARACTERS);
  // Everything that could move a cursor, ring a bell, begin a line or turn the reading direction; and halves of characters.
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu, ' ').trim();
}
