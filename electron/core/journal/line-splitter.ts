import { StringDecoder } from 'node:string_decoder';

/**
 * An over-long line is cut this far before its end, so that a secret whose rest is yet to come is not cut in two: both
 * halves would be shown. A private key in PEM has some 3300 characters.
 */
const HELD_BACK_CHARACTERS = 4096;

export interface LineSplitterOptions {
  /** Length from which a line is cut into several; more than 4096. */
  readonly maxCharacters: number;
  readonly onLine: (line: string) => void;
  /** Applied to an over-long line before it is cut. */
  readonly redact: (text: string) => string;
}

/** Cuts a byte stream into lines of text. */
export class LineSplitter {
  readonly #options: LineSplitterOptions;
  #decoder = new StringDecoder('utf8');
  #partial = '';

  constructor(options: LineSplitterOptions) {
    this.#options = options;
  }

  /** The text behind the last line break. */
  get partial(): string {
    return this.#partial;
  }

  append(chunk: Buffer): void {
    const lines = (this.#partial + this.#decoder.write(chunk)).split('\n');
    this.#partial = lines.pop() ?? '';
    for (const line of lines) this.#options.onLine(line.replace(/\r$/, ''));
    if (this.#partial.length > this.#options.maxCharacters) this.#cut();
  }

  /** Ends the line that was begun; another stream may follow. */
  finish(): void {
    const line = this.#partial;
    this.#partial = '';
    this.#decoder = new StringDecoder('utf8');
    if (line !== '') this.#options.onLine(line);
  }

  #cut(): void {
    const text = this.#options.redact(this.#partial);
    const isInsidePair = /^[\uDC00-\uDFFF]/.test(text.slice(-HELD_BACK_CHARACTERS));
    const at = Math.max(0, text.length - HELD_BACK_CHARACTERS - (isInsidePair ? 1 : 0));
    this.#partial = text.slice(at);
    if (at > 0) this.#options.onLine(text.slice(0, at));
  }
}
