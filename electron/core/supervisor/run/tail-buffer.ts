/** Keeps the last bytes of a stream. */
export class TailBuffer {
  readonly #maxBytes: number;
  #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    // Chunks are joined only now and then, because a flood comes in chunks of any size.
    if (this.#bytes <= 2 * this.#maxBytes) return;
    const tail = Buffer.concat(this.#chunks).subarray(-this.#maxBytes);
    // Copied, so that the flood's buffer is not kept in memory.
    this.#chunks = [Buffer.from(tail)];
    this.#bytes = tail.length;
  }

  /** Kept bytes as text, without a partial character at the beginning. */
  get text(): string {
    const kept = Buffer.concat(this.#chunks);
    const isCut = kept.length > this.#maxBytes || this.#bytes >= this.#maxBytes;
    const text = kept.subarray(-this.#maxBytes).toString('utf8');
    return isCut ? text.replace(/^\uFFFD+/, '') : text;
  }
}
