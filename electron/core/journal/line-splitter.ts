import { StringDecoder } from 'node:string_decoder';
import type { SecretSpan } from '../../../shared/secrets/known-forms.ts';

/**
 * Characters held back when an over-long line is cut, so that a secret that is still incomplete is not split: both halves
 * would be shown. A private key in PEM has some 3300 characters.
 */
const HELD_BACK_CHARACTERS = 4096;
/** Longest text held back; a longer secret is cut after all. */
const MOST_HELD_CHARACTERS = 128 * 1024;

export interface LineSplitterOptions {
  /** Length from which a line is cut into several; more than 4096. */
  readonly maxCharacters: number;
  readonly onLine: (line: string) => void;
  /** Finds secrets in an over-long line, so that none is cut. */
  readonly secretsIn: (text: string) => readonly SecretSpan[];
}

/** Splits a byte stream into lines of text. */
export class LineSplitter {
  readonly #options: LineSplitterOptions;
  #decoder = new StringDecoder('utf8');
  #partial = '';

  constructor(options: LineSplitterOptions) {
    this.#options = options;
  }

  /** Text behind the last line break. */
  get partial(): string {
    return this.#partial;
  }

  append(chunk: Buffer): void {
    const lines = (this.#partial + this.#decoder.write(chunk)).split('\n');
    this.#partial = lines.pop() ?? '';
    for (const line of lines) this.#options.onLine(line.replace(/\r$/, ''));
    if (this.#partial.length > this.#options.maxCharacters) this.#cut();
  }

  /** Ends an unfinished line; another stream may follow. */
  finish(): void {
    const line = this.#partial;
    this.#partial = '';
    this.#decoder = new StringDecoder('utf8');
    if (line !== '') this.#options.onLine(line);
  }

  #cut(): void {
    const text = this.#partial;
    let at = text.length - HELD_BACK_CHARACTERS;
    // Last span first: a cut moved to the start of one secret may fall into an earlier one.
    const spans = [...this.#options.secretsIn(text)].sort((one, other) => other[1] - one[1]);
    for (const [start, end] of spans) if (start < at && at <= end) at = start;
    if (/[\uDC00-\uDFFF]/.test(text.charAt(at))) at -= 1;
    if (at <= 0 && text.length > MOST_HELD_CHARACTERS) at = text.length;
    if (at <= 0) return;
    this.#partial = text.slice(at);
    this.#options.onLine(text.slice(0, at));
  }
}
