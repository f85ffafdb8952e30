const FIRST_BYTES = 4096;
/** To copy more than this takes too long for one turn. */
const MOST_COPIED = 1024 * 1024;
/** As long as a message may be. What is never written of it takes no memory but addresses. */
const FULL_BYTES = 16 * 1024 * 1024;

/** Bytes that come in parts, in one piece. A part is copied, because it may be a single byte of a chunk that would live on with it. */
export class ByteBuffer {
  #bytes: Buffer = Buffer.alloc(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }
  /** The bytes so far. Valid until the next `append` or `clear`. */
  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  append(part: Uint8Array): void {
    const needed = this.#length + part.length;
    if (needed > this.#bytes.length) {
      const grown = this.#length > MOST_COPIED ? FULL_BYTES : this.#bytes.length * 2;
      const larger = Buffer.allocUnsafe(Math.max(needed, grown, FIRST_BYTES));
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    this.#bytes.set(part, this.#length);
    this.#length = needed;
  }

  /** Keeps its memory for what comes next. */
  clear(): void {
    this.#length = 0;
  }
}
