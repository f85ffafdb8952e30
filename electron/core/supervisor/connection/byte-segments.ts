/** Small enough for the memory of one to be used again for the next. */
const SEGMENT_BYTES = 64 * 1024;
/** A smaller part is copied. */
const MIN_ADOPTED_BYTES = 4096;
/** To copy more than this takes too long for one turn. */
const MOST_COPIED = 2 * 1024 * 1024;
/** As long as a message may be. What is never written of it takes no memory but addresses. */
const FULL_BYTES = 16 * 1024 * 1024;

/**
 * Bytes that come in parts and are kept in segments, which cost no copying as they grow; many megabytes lie in one piece.
 * A small part is copied, because it may be a single byte of a chunk that would live on with it.
 */
export class ByteSegments {
  #segments: Buffer[] = [];
  /** How much of the last one is used; the others are full. */
  #used = 0;
  #length = 0;
  #joined: Buffer | undefined;

  get length(): number {
    return this.#length;
  }
  /** The bytes so far, in their order, where they lie. */
  get parts(): readonly Buffer[] {
    const last = this.#segments.length - 1;
    return this.#segments.map((segment, index) => (index < last ? segment : segment.subarray(0, this.#used)));
  }
  /** The bytes so far in one piece, for which at most 2 MiB are copied. */
  get bytes(): Buffer {
    if (this.#joined?.length !== this.#length) this.#joined = onePiece(this.parts);
    return this.#joined;
  }

  append(part: Uint8Array): void {
    for (let at = 0; at < part.length;) {
      const segment = this.#withRoom();
      const taken = part.subarray(at, at + segment.length - this.#used);
      segment.set(taken, this.#used);
      this.#used += taken.length;
      this.#length += taken.length;
      at += taken.length;
    }
  }

  /** Keeps a part where it lies, unless it is small: nobody may write to its memory any more. */
  adopt(part: Buffer): void {
    if (part.length < MIN_ADOPTED_BYTES || this.#length >= MOST_COPIED) return this.append(part);
    const last = this.#segments.pop();
    if (last) this.#segments.push(last.subarray(0, this.#used));
    this.#add(part, part.length);
    this.#length += part.length;
  }

  /** Some of the bytes; copied only where they lie in more than one segment. */
  slice(start: number, end: number): Buffer {
    // What has just come is asked for with each part.
    const lastStart = this.#length - this.#used;
    if (start >= lastStart && end <= this.#length)
      return this.#segments.at(-1)?.subarray(start - lastStart, end - lastStart) ?? Buffer.alloc(0);
    return onePiece(partsBetween(this.parts, start, end));
  }

  /** The last segment, or a new one when that is full. */
  #withRoom(): Buffer {
    const last = this.#segments.at(-1);
    if (last && this.#used < last.length) return last;
    if (this.#length < MOST_COPIED) return this.#add(Buffer.allocUnsafeSlow(SEGMENT_BYTES), 0);
    const whole = Buffer.allocUnsafeSlow(Math.max(FULL_BYTES, this.#length * 2));
    let at = 0;
    for (const segment of this.#segments) at += segment.copy(whole, at);
    this.#segments = [];
    return this.#add(whole, at);
  }

  #add(segment: Buffer, used: number): Buffer {
    this.#segments.push(segment);
    this.#used = used;
    return segment;
  }
}

/** The bytes from `start` to `end` of some that lie in parts; nothing is copied. */
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

function onePiece(parts: readonly Buffer[]): Buffer {
  const [only, ...others] = parts;
  return only && others.length === 0 ? only : Buffer.concat(parts);
}
