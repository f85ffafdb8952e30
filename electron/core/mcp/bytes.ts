const FIRST_BYTES = 4096;
/** Parts shorter than this are copied. Otherwise a single byte could keep the whole chunk that it belongs to in memory. */
const MIN_KEPT_BYTES = 4096;
const SEGMENT_BYTES = 64 * 1024;

/** Growing buffer of contiguous bytes, which is copied when it grows. For megabytes of data, use `ByteParts`. */
export class ByteBuffer {
  #bytes: Buffer = Buffer.alloc(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }
  /** Bytes appended so far. Valid until the next `append` or `clear`. */
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

  /** Empties the buffer; its memory is kept for the next bytes. */
  clear(): void {
    this.#length = 0;
  }
}

/** Collects byte parts without copying them, except that small parts are copied together into larger ones. */
export class ByteParts {
  #parts: Buffer[] = [];
  readonly #small = new ByteBuffer();
  #length = 0;

  get length(): number {
    return this.#length;
  }
  get parts(): readonly Buffer[] {
    this.#closeSmall();
    return this.#parts;
  }

  /** @param part the caller must no longer write to its memory, unless it is shorter than 4 KiB */
  append(part: Buffer): void {
    this.#length += part.length;
    if (part.length < MIN_KEPT_BYTES) {
      this.#small.append(part);
      if (this.#small.length >= SEGMENT_BYTES) this.#closeSmall();
      return;
    }
    this.#closeSmall();
    this.#parts.push(part);
  }

  clear(): void {
    this.#parts = [];
    this.#small.clear();
    this.#length = 0;
  }

  #closeSmall(): void {
    if (this.#small.length === 0) return;
    this.#parts.push(Buffer.from(this.#small.bytes));
    this.#small.clear();
  }
}

/** Returns the bytes from `start` to `end` of `parts`, without copying. */
export function partsBetween(parts: readonly Buffer[], start: number, end: number): Buffer[] {
  const found: Buffer[] = [];
  let at = 0;
  for (const part of parts) {
    const piece = part.subarray(Math.max(0, start - at), Math.max(0, end - at));
    if (piece.length > 0) found.push(piece);
    at += part.length;
  }
  return found;
}

/** Returns the first bytes of `parts`, copied into one piece. */
export function firstBytes(parts: readonly Buffer[], bytes: number): Buffer {
  return Buffer.concat(partsBetween(parts, 0, bytes));
}

/** Returns the last bytes of `parts`, copied into one piece. */
export function lastBytes(parts: readonly Buffer[], bytes: number): Buffer {
  const length = lengthOf(parts);
  return Buffer.concat(partsBetween(parts, Math.max(0, length - bytes), length));
}

export function lengthOf(parts: readonly Uint8Array[]): number {
  return parts.reduce((sum, part) => sum + part.length, 0);
}

/** Returns the bytes of all parts in one copy with its own memory, which can be transferred to another thread. */
export function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const copy = new Uint8Array(lengthOf(parts));
  let at = 0;
  for (const part of parts) {
    copy.set(part, at);
    at += part.length;
  }
  return copy;
}
