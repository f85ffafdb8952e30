const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** `[` and `{` differ in this bit alone, and so do `]` and `}`. */
const SMALL = 0x20;
const OPENING = 0x7b;
const CLOSING = 0x7d;

/** How deeply a JSON text is nested at most, in one look at its bytes, which may come in parts. Of anything else, some number. */
export class JsonDepth {
  #depth = 0;
  #deepest = 0;
  #isInText = false;
  #isEscaped = false;

  get deepest(): number {
    return this.#deepest;
  }

  push(part: Uint8Array): void {
    for (let index = 0; index < part.length; index += 1) {
      const byte = part[index]!;
      if (this.#isInText) this.#pass(byte);
      else if (byte === QUOTE) this.#isInText = true;
      else if ((byte | SMALL) === OPENING) this.#open();
      else if ((byte | SMALL) === CLOSING) this.#depth -= 1;
    }
  }

  #pass(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === BACKSLASH) this.#isEscaped = true;
    else if (byte === QUOTE) this.#isInText = false;
  }

  #open(): void {
    this.#depth += 1;
    if (this.#depth > this.#deepest) this.#deepest = this.#depth;
  }
}
