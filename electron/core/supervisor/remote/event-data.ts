import { ByteBuffer } from '../connection/byte-buffer.ts';
import { EnvelopeScanner } from '../connection/envelope-scanner.ts';
import { SHORT_BYTES } from './long-reply.ts';

/** Lines are scanned many at a time, because each push has a cost of its own. */
const STAGED_BYTES = 16 * 1024;
const NEWLINE = Buffer.from('\n');

/** The data of one event of a stream, as its lines come. Once it is long, its envelope is read and no text is made of it. */
export class EventData {
  readonly #staged = new ByteBuffer();
  #scanner: EnvelopeScanner | undefined;
  #hasLines = false;

  get isLong(): boolean {
    return this.#scanner !== undefined;
  }

  /** The first of its bytes, copied. */
  head(bytes: number): Buffer {
    return Buffer.from(this.#scanner?.slice(0, bytes) ?? this.#staged.bytes.subarray(0, bytes));
  }

  /** What is pushed next stands in a new line. */
  beginLine(): void {
    if (this.#hasLines) this.push(NEWLINE);
    this.#hasLines = true;
  }

  push(part: Uint8Array): void {
    this.#staged.append(part);
    if (this.#staged.length > (this.#scanner ? STAGED_BYTES : SHORT_BYTES)) this.#scan();
  }

  /** Short data as it stands in a stream; empty where there is none. */
  lines(): Buffer {
    if (!this.#hasLines) return Buffer.alloc(0);
    // Each byte is one character of Latin-1, and back.
    const text = this.#staged.bytes.toString('latin1').replaceAll('\n', '\ndata: ');
    return Buffer.from(`data: ${text}\n`, 'latin1');
  }

  /** Long data, all of which has been read. */
  scanned(): EnvelopeScanner | undefined {
    if (this.#scanner && this.#staged.length > 0) this.#scan();
    return this.#scanner;
  }

  clear(): void {
    this.#staged.clear();
    this.#scanner = undefined;
    this.#hasLines = false;
  }

  #scan(): void {
    this.#scanner ??= new EnvelopeScanner();
    this.#scanner.push(this.#staged.bytes);
    this.#staged.clear();
  }
}
