const FIRST_BYTES = 4096;

/**
 * Bytes that come in parts, in one piece. A part is copied, because it may be a single byte of a chunk that would live on with
 * it. It is copied again as the bytes grow: what may have megabytes belongs into `ByteSegments`.
 */
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
      const larger = Buffer.allocUnsafe(Math.max(needed, this.#bytes.length * 2, FIRST_BYTES));
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
