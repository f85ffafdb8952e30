import { StringDecoder } from 'node:string_decoder';
import type { SecretSpan } from '../../../shared/secrets/known-forms.ts';

/**
 * An over-long line is cut this far before its end, so that a secret whose rest is yet to come is not cut in two: both
 * halves would be shown. A private key in PEM has some 3300 characters.
 */
const HELD_BACK_CHARACTERS = 4096;
/** A secret that is longer is cut after all. */
const MOST_HELD_CHARACTERS = 128 * 1024;

export interface LineSplitterOptions {
  /** Length from which a line is cut into several; more than 4096. */
  readonly maxCharacters: number;
  readonly onLine: (line: string) => void;
  /** Where an over-long line holds secrets, in none of which it is cut. */
  readonly secretsIn: (text: string) => readonly SecretSpan[];
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
    const text = this.#partial;
    let at = text.length - HELD_BACK_CHARACTERS;
    // The last first: one that was moved to the start of a secret may be in an earlier one there.
    const spans = [...this.#options.secretsIn(text)].sort((one, other) => other[1] - one[1]);
    for (const [start, end] of spans) if (start < at && at <= end) at = start;
    if (/[\uDC00-\uDFFF]/.test(text.charAt(at))) at -= 1;
    if (at <= 0 && text.length > MOST_HELD_CHARACTERS) at = text.length;
    if (at <= 0) return;
    this.#partial = text.slice(at);
    this.#options.onLine(text.slice(0, at));
  }
}
