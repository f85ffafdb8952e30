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

/**
 * Cuts a byte stream into newline-delimited JSON-RPC messages (MCP specification, stdio transport). Survives every
 * input: each line stands alone, so a bad one costs itself only. Memory is bounded by `maxLineBytes`.
 */
export class FrameReader {
  readonly #options: FrameReaderOptions;
  readonly #maxLineBytes: number;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  #parts: Buffer[] = [];
  #partBytes = 0;
  #skippedBytes = 0;

  constructor(options: FrameReaderOptions) {
    this.#options = options;
    this.#maxLineBytes = options.maxLineBytes ?? DEFAULT_MAX_LINE_BYTES;
  }

  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#take(chunk.subarray(start, end));
      this.#finishLine();
      start = end + 1;
    }
    if (start < chunk.length) this.#take(chunk.subarray(start));
  }

  /** The stream has ended: what stands without a newline is reported. */
  end(): void {
    if (this.#partBytes + this.#skippedBytes === 0) return;
    const rest = Buffer.concat(this.#parts);
    const bytes = this.#partBytes + this.#skippedBytes;
    this.#reset();
    this.#options.onNoise({ noise: 'cut-off', excerpt: excerptOf(rest), bytes });
  }

  #take(part: Buffer): void {
    if (this.#skippedBytes > 0) {
      this.#skippedBytes += part.length;
      return;
    }
    this.#parts.push(part);
    this.#partBytes += part.length;
    if (this.#partBytes <= this.#maxLineBytes) return;
    this.#skippedBytes = this.#partBytes;
    // Only the beginning is kept, for the excerpt.
    this.#parts = [Buffer.from(Buffer.concat(this.#parts).subarray(0, EXCERPT_CHARACTERS * 4))];
    this.#partBytes = 0;
  }

  #finishLine(): void {
    const line = this.#parts.length === 1 ? this.#parts[0]! : Buffer.concat(this.#parts);
    const skippedBytes = this.#skippedBytes;
    this.#reset();
    if (skippedBytes > 0)
      this.#options.onNoise({ noise: 'too-long', excerpt: excerptOf(line), bytes: skippedBytes });
    else if (line.length > 0) this.#readLine(line);
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
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return report('not-json');
    }
    const parsed = JSONRPCMessageSchema.safeParse(value);
    if (!parsed.success) return report('not-a-message');
    this.#options.onMessage(parsed.data);
  }

  #reset(): void {
    this.#parts = [];
    this.#partBytes = 0;
    this.#skippedBytes = 0;
  }
}

/** The beginning of some bytes as one line of visible text. */
export function excerptOf(bytes: Buffer): string {
  const text = bytes
    .subarray(0, EXCERPT_CHARACTERS * 4)
    .toString('utf8')
    .slice(0, EXCERPT_CHARACTERS);
  // Everything that could move a cursor, ring a bell or turn the reading direction.
  return text.replace(/[\p{Cc}\p{Cf}]+/gu, ' ').trim();
}
