import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { isMessage } from './message-form.ts';
import { askedIn } from './unparsed-request.ts';
import { answeredIdIn, answerIn, type UnreadableAnswer } from './unreadable-answer.ts';
import { ValueCounter } from './value-counter.ts';

/** Something on the protocol's pipe that is not a message, or none that can be handled. Counted and shown, never fatal. */
export interface FrameNoise {
  readonly noise:
    | 'not-json'
    | 'not-a-message'
    | 'bad-utf8'
    | 'too-long'
    | 'too-many'
    | 'too-many-values'
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
  readonly onMessage: (message: JSONRPCMessage) => void;
  readonly onNoise: (noise: FrameNoise) => void;
  /** A noise, which was told just before, was meant to answer a request. */
  readonly onUnreadableAnswer?: (answer: UnreadableAnswer, noise: FrameNoise) => void;
}

const DEFAULT_MAX_LINE_BYTES = 16 * 1024 * 1024;
const EXCERPT_CHARACTERS = 200;
const NEWLINE = 10;
const BRACKETS: readonly string[] = ['{}', '[]', '""'];
const PLAIN_VALUE = /^(?:-?\d[\d.eE+-]*|true|false|null)$/;
const NOT_JSON = 'it is not JSON';
const FIRST_LINE_BYTES = 4096;
const KEPT_LINE_BYTES = 256 * 1024;
/**
 * What a message may hold, besides its bytes: parsing takes as long as there are values, and 16 MiB of `[],[],` would
 * hold up every other server, and the window, for a second or more. One text of 16 MiB counts once.
 */
const MAX_VALUES = 100_000;
/** A shorter line costs little, whatever it holds. */
const COUNTED_FROM_BYTES = 64 * 1024;
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
  /** The beginning of the current line, its first `#length` bytes. */
  #line: Buffer = Buffer.alloc(0);
  #length = 0;
  #skippedBytes = 0;
  /** Why it is skipped. */
  #skippedFor: 'too-long' | 'too-many-values' = 'too-long';
  /** The last bytes of a line that is skipped. */
  #tail: Buffer = Buffer.alloc(0);
  /** Of the current line, once it is long enough to be worth counting. */
  #values: ValueCounter | undefined;

  constructor(options: FrameReaderOptions) {
    this.#options = options;
    this.#maxLineBytes = options.maxLineBytes ?? DEFAULT_MAX_LINE_BYTES;
  }

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
    if (this.#length + this.#skippedBytes === 0) return;
    const bytes = this.#skippedBytes > 0 ? this.#skippedBytes : this.#length;
    this.#options.onNoise({
      noise: 'cut-off',
      excerpt: excerptOf(this.#line.subarray(0, this.#length)),
      bytes,
    });
    this.#reset();
  }

  #take(part: Buffer): void {
    if (this.#skippedBytes > 0) {
      this.#skippedBytes += part.length;
      this.#tail = lastBytes(this.#tail, part);
      return;
    }
    if (this.#length + part.length > this.#maxLineBytes) this.#skip(part, 'too-long');
    else if (this.#hasTooManyValues(part)) this.#skip(part, 'too-many-values');
    else this.#keep(part);
  }

  #hasTooManyValues(part: Buffer): boolean {
    if (this.#length + part.length <= COUNTED_FROM_BYTES) return false;
    if (this.#values === undefined) {
      this.#values = new ValueCounter();
      this.#values.push(this.#line.subarray(0, this.#length));
    }
    this.#values.push(part);
    return this.#values.count > MAX_VALUES;
  }

  /** Nothing more of the line is kept, but for its end. */
  #skip(part: Buffer, reason: 'too-long' | 'too-many-values'): void {
    this.#skippedFor = reason;
    this.#skippedBytes = this.#length + part.length;
    this.#tail = lastBytes(this.#line.subarray(0, this.#length), part);
    // Of a line with too many values something can still be shown; of one that is too long, only an excerpt.
    this.#keep(reason === 'too-long' ? part.subarray(0, EXCERPT_CHARACTERS * 4) : part);
    if (reason === 'too-many-values') return;
    this.#line = Buffer.from(this.#line.subarray(0, EXCERPT_CHARACTERS * 4));
    this.#length = Math.min(this.#length, this.#line.length);
  }

  /** Copied into one buffer that doubles: a chunk may be a single byte, and each would hold its own memory. */
  #keep(part: Buffer): void {
    const needed = this.#length + part.length;
    if (needed > this.#line.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, this.#line.length * 2, FIRST_LINE_BYTES));
      this.#line.copy(larger, 0, 0, this.#length);
      this.#line = larger;
    }
    part.copy(this.#line, this.#length);
    this.#length = needed;
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
    const isWhole = this.#length + this.#skippedBytes === 0 && rest.length <= COUNTED_FROM_BYTES;
    if (!isWhole) this.#take(rest);
    const line = isWhole ? rest : this.#line.subarray(0, this.#length);
    const skippedBytes = this.#skippedBytes;
    if (skippedBytes > 0) this.#skipped(this.#skippedFor, line, this.#tail, skippedBytes);
    else if (line.length > this.#maxLineBytes) this.#skipped('too-long', line, line, line.length);
    else if (line.length > 0) this.#readLine(line);
  }

  #skipped(noise: 'too-long' | 'too-many-values', head: Buffer, tail: Buffer, bytes: number): void {
    const asked = askedIn(head.subarray(0, EDGE_BYTES), tail.subarray(-EDGE_BYTES));
    const answer = asked === undefined ? unparsed(this.#faultOf(noise), head, tail) : undefined;
    const hasBeginning = answer !== undefined && noise === 'too-many-values';
    this.#report(
      { noise, excerpt: excerptOf(head), bytes },
      hasBeginning ? { ...answer, beginning: head } : answer,
    );
    if (asked) this.#hand(asked, head);
  }

  #faultOf(noise: 'too-long' | 'too-many-values'): string {
    return noise === 'too-long'
      ? `it has more than the ${this.#maxLineBytes} bytes that a line may have`
      : `it holds more than the ${MAX_VALUES} values that a message may hold`;
  }

  #report(noise: FrameNoise, answer: UnreadableAnswer | undefined): void {
    this.#options.onNoise(noise);
    if (answer) this.#options.onUnreadableAnswer?.(answer, noise);
  }

  #readLine(line: Buffer): void {
    const report = (noise: FrameNoise['noise'], answer: UnreadableAnswer | undefined) =>
      this.#report({ noise, excerpt: excerptOf(line), bytes: line.length }, answer);
    if (line.length > MAX_PARAMS_BYTES && askedIn(line.subarray(0, EDGE_BYTES), line.subarray(-EDGE_BYTES)))
      return this.#skipped('too-long', line, line, line.length);
    let text: string;
    try {
      text = this.#decoder.decode(line).trim();
    } catch {
      return report('bad-utf8', unparsed('it is not UTF-8', line, line));
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
    if (isMessage(value)) this.#hand(value, line);
    else report('not-a-message', answerIn(value));
  }

  #hand(message: JSONRPCMessage, line: Buffer): void {
    try {
      this.#options.onMessage(message);
    } catch {
      // One message that its listeners cannot handle must not end the reading of the others.
      this.#report({ noise: 'not-handled', excerpt: excerptOf(line), bytes: line.length }, undefined);
    }
  }

  #reset(): void {
    this.#length = 0;
    this.#skippedBytes = 0;
    this.#tail = Buffer.alloc(0);
    this.#values = undefined;
    // One huge line must not keep its memory for the life of the server.
    if (this.#line.length > KEPT_LINE_BYTES) this.#line = Buffer.alloc(0);
  }
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
  const text = bytes
    .subarray(0, EXCERPT_CHARACTERS * 4)
    .toString('utf8')
    .slice(0, EXCERPT_CHARACTERS);
  // Everything that could move a cursor, ring a bell, begin a line or turn the reading direction; and halves of characters.
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu, ' ').trim();
}
