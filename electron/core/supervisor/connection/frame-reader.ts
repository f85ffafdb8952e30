import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { ByteBuffer, ByteParts, firstBytes, lastBytes } from '../../mcp/bytes.ts';
import { requestIn, EDGE_BYTES, edgesOf } from '../../mcp/line-edges.ts';
import { MAX_PARSED_BYTES, readLong, type LongMessage, type LongRead } from '../../mcp/long-message.ts';
import { isMessage } from '../../mcp/message-form.ts';
import { outputExcerpt, EXCERPT_BYTES, type MalformedOutput } from '../../mcp/malformed-output.ts';
import { answerIn, unparsedAnswer, type UnreadableAnswer } from '../../mcp/unreadable-answer.ts';
import type { LongReader } from '../../mcp/worker/questions.ts';

interface FrameReaderOptions {
  /** Maximum bytes of a line that is read. A longer line is skipped up to its newline. */
  readonly maxLineBytes?: number;
  readonly reader: LongReader;
  /** Called with each message. `text` is its JSON; undefined for a request rebuilt from the ends of a line too long to read. */
  readonly onMessage: (message: JSONRPCMessage, text?: string) => void;
  /** Called with each message over 64 KiB. If a worker must parse it first, later messages may arrive before it. */
  readonly onLongMessage: (message: LongMessage) => void;
  readonly onMalformed: (noise: MalformedOutput) => void;
  /** Called after `onMalformed` if the malformed output was meant as the response to a request. */
  readonly onUnreadableAnswer?: (answer: UnreadableAnswer, noise: MalformedOutput) => void;
}

const DEFAULT_MAX_LINE_BYTES = 16 * 1024 * 1024;
const NEWLINE = 10;
const NOTHING: Buffer = Buffer.alloc(0);
const BRACKETS: readonly string[] = ['{}', '[]', '""'];
const PLAIN_VALUE = /^(?:-?\d[\d.eE+-]*|true|false|null)$/;
const NOT_JSON = 'it is not JSON';
const NOT_UTF8 = 'it is not UTF-8';

/**
 * Splits a byte stream into newline-delimited JSON-RPC messages (MCP specification, stdio transport). No input makes it fail,
 * because each line is independent: only a bad line itself is lost. `maxLineBytes` bounds the memory.
 */
export class FrameReader {
  readonly #options: FrameReaderOptions;
  readonly #maxLineBytes: number;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  /** Bytes of the current line while it is short. For a line that is being skipped, its beginning, for the report. */
  readonly #line = new ByteBuffer();
  /** The current line once it is long; undefined while it is short. */
  #long: ByteParts | undefined;
  /** Promises for long lines that a worker thread is currently parsing. */
  readonly #elsewhere = new Set<Promise<void>>();
  #skippedBytes = 0;
  #keepsChunk = false;
  /** Last bytes of the line that is being skipped, which may contain the id of a request. */
  #tail = NOTHING;

  constructor(options: FrameReaderOptions) {
    this.#options = options;
    this.#maxLineBytes = options.maxLineBytes ?? DEFAULT_MAX_LINE_BYTES;
  }

  /**
   * True if pushing this chunk does not parse anything in this thread: the chunk contains no newline, or only completes a long
   * line, which is parsed elsewhere.
   */
  onlyKeeps(chunk: Buffer): boolean {
    const end = chunk.indexOf(NEWLINE);
    return end === -1 || (this.#long !== undefined && end === chunk.length - 1);
  }

  /** True if a long line refers to the memory of the last pushed chunk, so that the memory must not be reused. */
  get keepsChunk(): boolean {
    return this.#keepsChunk;
  }

  /** @param chunk must not be overwritten later if `keepsChunk` is true after the call */
  push(chunk: Buffer): void {
    this.#keepsChunk = false;
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#finishLine(chunk.subarray(start, end));
      start = end + 1;
    }
    if (start < chunk.length) this.#take(chunk.subarray(start));
  }

  /** Handles the stream's end. Text without a final newline counts as truncated. Resolves once all messages are passed on. */
  async end(): Promise<void> {
    const bytes = this.#skippedBytes > 0 ? this.#skippedBytes : this.#readBytes();
    if (bytes > 0) {
      this.#options.onMalformed({ noise: 'cut-off', excerpt: excerptOf(this.#parts), bytes });
      this.#reset();
    }
    await Promise.all(this.#elsewhere);
  }

  #take(part: Buffer): void {
    if (this.#skippedBytes > 0) {
      this.#skippedBytes += part.length;
      this.#tail = lastBytes([this.#tail, part], EDGE_BYTES);
      return;
    }
    const length = this.#readBytes() + part.length;
    if (length > this.#maxLineBytes) return this.#skip(part);
    // A read that fills the buffer is nearly always the beginning of a long line. To avoid copying such a line, its chunks are
    // kept as they are.
    if (length < MAX_PARSED_BYTES) return this.#line.append(part);
    if (!this.#long) {
      this.#long = new ByteParts();
      if (this.#line.length > 0) this.#long.append(Buffer.from(this.#line.bytes));
      this.#line.clear();
    }
    this.#long.append(part);
    this.#keepsChunk = true;
  }

  /** Number of bytes kept of the current line, unless it is being skipped. */
  #readBytes(): number {
    return this.#long?.length ?? this.#line.length;
  }

  /** Bytes kept of the current line, or the beginning of a line being skipped. */
  get #parts(): readonly Buffer[] {
    return this.#long?.parts ?? [this.#line.bytes];
  }

  /** Drops the line except for an excerpt of its beginning and end. */
  #skip(part: Buffer): void {
    this.#skippedBytes = this.#readBytes() + part.length;
    const head = firstBytes([...this.#parts, part], EXCERPT_BYTES);
    this.#tail = lastBytes([...this.#parts, part], EDGE_BYTES);
    this.#long = undefined;
    this.#line.clear();
    this.#line.append(head);
  }

  #finishLine(rest: Buffer): void {
    try {
      this.#readWhole(rest);
    } finally {
      // The state is reset for the next line even if a listener throws.
      this.#reset();
    }
  }

  #readWhole(rest: Buffer): void {
    // A short line that arrived in one chunk, as nearly all do, is read without a copy.
    const isHere = !this.#long && this.#line.length + this.#skippedBytes === 0;
    if (isHere && rest.length <= MAX_PARSED_BYTES && rest.length <= this.#maxLineBytes)
      return rest.length > 0 ? this.#readLine(rest) : undefined;
    this.#take(rest);
    if (this.#skippedBytes > 0) this.#skipped(this.#line.bytes, this.#tail, this.#skippedBytes);
    else if (this.#readBytes() > MAX_PARSED_BYTES) this.#readLong(this.#parts, this.#readBytes());
    else this.#readLine(this.#long ? firstBytes(this.#parts, MAX_PARSED_BYTES) : this.#line.bytes);
  }

  /** Reports a line that was too long. For a request, `onMessage` still gets its id and method, so that it can be rejected. */
  #skipped(head: Buffer, tail: Buffer, bytes: number): void {
    const asked = requestIn(edgesOf(head.subarray(0, EDGE_BYTES), tail));
    const fault = `it has more than the ${this.#maxLineBytes} bytes that a line may have`;
    const answer = asked === undefined ? unparsedAnswer(fault, head, tail) : undefined;
    this.#report({ noise: 'too-long', excerpt: outputExcerpt(head), bytes }, answer);
    if (asked) this.#hand(() => this.#options.onMessage(asked), [head], head.length);
  }

  #readLong(parts: readonly Buffer[], bytes: number): void {
    const read = readLong(parts, this.#options.reader);
    if (!(read instanceof Promise)) return this.#handLong(read, parts, bytes);
    const handed = read
      .then((late) => this.#handLong(late, parts, bytes))
      .finally(() => this.#elsewhere.delete(handed));
    this.#elsewhere.add(handed);
  }

  #handLong(read: LongRead, parts: readonly Buffer[], bytes: number): void {
    if (read.is === 'message')
      return this.#hand(() => this.#options.onLongMessage(read.message), parts, bytes);
    const excerpt = excerptOf(parts);
    if (read.is === 'noise') return this.#report({ noise: read.noise, excerpt, bytes }, read.answer);
    this.#report({ noise: 'too-long', excerpt, bytes }, undefined);
    this.#hand(() => this.#options.onMessage(read.asked), parts, bytes);
  }

  #report(noise: MalformedOutput, answer: UnreadableAnswer | undefined): void {
    this.#options.onMalformed(noise);
    if (answer) this.#options.onUnreadableAnswer?.(answer, noise);
  }

  #readLine(line: Buffer): void {
    const report = (noise: MalformedOutput['noise'], answer: UnreadableAnswer | undefined) =>
      this.#report(malformedOutputOf(noise, line), answer);
    let text: string;
    try {
      text = this.#decoder.decode(line).trim();
    } catch {
      return report('bad-utf8', unparsedAnswer(NOT_UTF8, line, line));
    }
    if (text === '') return;
    // The two checks below are cheap. If an error were thrown and described instead, each line of a flood would take ten times
    // as long.
    if (!isLikeJson(text)) return report('not-json', unparsedAnswer(NOT_JSON, line));
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return report('not-json', unparsedAnswer(NOT_JSON, line));
    }
    if (isMessage(value)) this.#hand(() => this.#options.onMessage(value, text), [line], line.length);
    else report('not-a-message', answerIn(value));
  }

  #hand(handOn: () => void, parts: readonly Buffer[], bytes: number): void {
    try {
      handOn();
    } catch {
      // A message that its listeners cannot handle must not stop the following ones.
      this.#report({ noise: 'not-handled', excerpt: excerptOf(parts), bytes }, undefined);
    }
  }

  #reset(): void {
    this.#line.clear();
    this.#long = undefined;
    this.#skippedBytes = 0;
    this.#tail = NOTHING;
  }
}

function malformedOutputOf(noise: MalformedOutput['noise'], line: Buffer): MalformedOutput {
  return { noise, excerpt: outputExcerpt(line), bytes: line.length };
}

const excerptOf = (parts: readonly Buffer[]): string => outputExcerpt(firstBytes(parts, EXCERPT_BYTES));

/** Cheap check. Returns false for text that cannot be JSON. */
function isLikeJson(text: string): boolean {
  return BRACKETS.includes(text.charAt(0) + text.charAt(text.length - 1)) || PLAIN_VALUE.test(text);
}
