export type OutputName = 'stdout' | 'stderr';

const HEADER_BYTES = 8;

/**
 * Reads the frames in which an engine mixes the outputs of a container: type, three zeros, length (4 bytes), and then that
 * many bytes. Frames are cut anywhere on their way; parts are handed on as they come.
 */
export class FrameSplitter {
  readonly #onPart: (output: OutputName, part: Buffer, isLast: boolean) => void;
  #header = Buffer.alloc(0);
  #output: OutputName = 'stdout';
  #left = 0;

  /** @param onPart called with each part of a frame; `isLast` with the one that completes it */
  constructor(onPart: (output: OutputName, part: Buffer, isLast: boolean) => void) {
    this.#onPart = onPart;
  }

  push(chunk: Buffer): void {
    let rest = chunk;
    while (rest.length > 0) {
      if (this.#left === 0) rest = this.#readHeader(rest);
      if (this.#left === 0) continue;
      const part = rest.subarray(0, this.#left);
      rest = rest.subarray(part.length);
      this.#left -= part.length;
      if (part.length > 0) this.#onPart(this.#output, part, this.#left === 0);
    }
  }

  #readHeader(rest: Buffer): Buffer {
    const missing = HEADER_BYTES - this.#header.length;
    this.#header = Buffer.concat([this.#header, rest.subarray(0, missing)]);
    if (this.#header.length === HEADER_BYTES) {
      this.#output = this.#header[0] === 2 ? 'stderr' : 'stdout';
      this.#left = this.#header.readUInt32BE(4);
      this.#header = Buffer.alloc(0);
    }
    return rest.subarray(missing);
  }
}
