/** The last bytes of a stream; the oldest go first. */
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
    // Joined only now and then: a flood comes in chunks of any size.
    if (this.#bytes <= 2 * this.#maxBytes) return;
    const tail = Buffer.concat(this.#chunks).subarray(-this.#maxBytes);
    // A copy, so that the flood itself is not kept in memory.
    this.#chunks = [Buffer.from(tail)];
    this.#bytes = tail.length;
  }

  /** What is kept, as text; a character that was cut is left out. */
  get text(): string {
    const kept = Buffer.concat(this.#chunks);
    const isCut = kept.length > this.#maxBytes || this.#bytes >= this.#maxBytes;
    const text = kept.subarray(-this.#maxBytes).toString('utf8');
    return isCut ? text.replace(/^\uFFFD+/, '') : text;
  }
}
