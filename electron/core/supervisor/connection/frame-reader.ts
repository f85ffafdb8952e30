import { JSONRPCMessageSchema, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';

/** Something on the protocol's pipe that is not a message. Counted and shown, never fatal. */
export interface FrameNoise {
  readonly noise: 'not-json' | 'not-a-message' | 'bad-utf8' | 'too-long' | 'cut-off' | 'unmatched';
  /** The first characters, control characters replaced. */
  readonly excerpt: string;
  readonly bytes: number;
}

export interface FrameReaderOptions {
  /** Longest line that is read; a longer one is skipped up to its newline. */
  readonly maxLineBytes?: number;
  readonly onMessage: (message: JSONRPCMessage) => void;
  readonly onNoise: (noise: FrameNoise) => void;
}

const DEFAULT_MAX_LINE_BYTES = 16 * 1024 * 1024;
const EXCERPT_CHARACTERS = 200;
const NEWLINE = 10;
const BRACKETS: readonly string[] = ['{}', '[]', '""'];
const PLAIN_VALUE = /^(?:-?\d[\d.eE+-]*|true|false|null)$/;
const FIRST_LINE_BYTES = 4096;
const KEPT_LINE_BYTES = 256 * 1024;

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
      return;
    }
    if (this.#length + part.length <= this.#maxLineBytes) return this.#keep(part);
    this.#skippedBytes = this.#length + part.length;
    // Only the beginning is kept, for the excerpt.
    this.#keep(part.subarray(0, EXCERPT_CHARACTERS * 4));
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
    // A line that came in one chunk, as nearly all do, is read where it lies.
    const isWhole = this.#length + this.#skippedBytes === 0;
    if (!isWhole) this.#take(rest);
    const line = isWhole ? rest : this.#line.subarray(0, this.#length);
    const skippedBytes = this.#skippedBytes;
    if (skippedBytes > 0)
      this.#options.onNoise({ noise: 'too-long', excerpt: excerptOf(line), bytes: skippedBytes });
    else if (line.length > this.#maxLineBytes)
      this.#options.onNoise({ noise: 'too-long', excerpt: excerptOf(line), bytes: line.length });
    else if (line.length > 0) this.#readLine(line);
    this.#reset();
  }

  #readLine(line: Buffer): void {
    const report = (noise: FrameNoise['noise']) =>
      this.#options.onNoise({ noise, excerpt: excerptOf(line), bytes: line.length });
    let text: string;
    try {
      text = this.#decoder.decode(line).trim();
    } catch {
      return report('bad-utf8');
    }
    if (text === '') return;
    // Two refusals that cost nothing: thrown and described in detail, each line of a flood takes ten times as long.
    if (!isLikeJson(text)) return report('not-json');
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return report('not-json');
    }
    const parsed = isVersioned(value) ? JSONRPCMessageSchema.safeParse(value) : undefined;
    if (!parsed?.success) return report('not-a-message');
    this.#options.onMessage(parsed.data);
  }

  #reset(): void {
    this.#length = 0;
    this.#skippedBytes = 0;
    // One huge line must not keep its memory for the life of the server.
    if (this.#line.length > KEPT_LINE_BYTES) this.#line = Buffer.alloc(0);
  }
}

/** False for what is no JSON at a glance. */
function isLikeJson(text: string): boolean {
  return BRACKETS.includes(text.charAt(0) + text.charAt(text.length - 1)) || PLAIN_VALUE.test(text);
}

/** Every message carries the version; the schema would find its absence four times over. */
function isVersioned(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'jsonrpc' in value && value.jsonrpc === '2.0';
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
