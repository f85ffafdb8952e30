import { StringDecoder } from 'node:string_decoder';

/** Cuts a byte stream into lines of text; an over-long line is cut into several. */
export class LineSplitter {
  readonly #maxCharacters: number;
  readonly #onLine: (line: string) => void;
  #decoder = new StringDecoder('utf8');
  #partial = '';

  constructor(maxCharacters: number, onLine: (line: string) => void) {
    this.#maxCharacters = maxCharacters;
    this.#onLine = onLine;
  }

  /** What stands behind the last line break. */
  get partial(): string {
    return this.#partial;
  }

  append(chunk: Buffer): void {
    const lines = (this.#partial + this.#decoder.write(chunk)).split('\n');
    this.#partial = lines.pop() ?? '';
    for (const line of lines) this.#onLine(line.replace(/\r$/, ''));
    if (this.#partial.length > this.#maxCharacters) this.finish();
  }

  /** Nothing more comes for the line that was begun; another stream may follow. */
  finish(): void {
    const line = this.#partial;
    this.#partial = '';
    this.#decoder = new StringDecoder('utf8');
    if (line !== '') this.#onLine(line);
  }
}
