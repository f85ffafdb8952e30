import type { WallClock } from '../clock.ts';
import type { KeptLine } from './line-form.ts';
import { LineRing } from './line-ring.ts';
import { cutLine } from './output-log.ts';

export type SaidLine = Pick<KeptLine, 'source' | 'level' | 'text'>;

export interface SaidLinesOptions {
  readonly wallClock: WallClock;
  readonly redact: (text: string) => string;
  /** Called with each line to be kept, without secrets and breaks. */
  readonly onLine: (line: SaidLine) => void;
}

const MAX_LINES = 500;
const MAX_BYTES = 128 * 1024;
/** Lines kept per second; more are only counted, because a server that logs to stdout may send a hundred thousand. */
const MAX_PER_S = 500;
/** Lines kept of one text; omissions are reported. */
const MAX_LINES_OF_TEXT = 50;
/** Characters redacted of a line: twice the length shown, because a secret cut in two is not recognized. */
const MAX_REDACTED_CHARACTERS = 8192;
const MS_PER_S = 1000;
const BREAKS = /\r\n|[\n\r\u2028\u2029]/;

/** Lines about a server other than stderr: its log messages, malformed output, and notes of the panel. */
export class SaidLines {
  readonly ring = new LineRing<KeptLine>({
    maxLines: MAX_LINES,
    maxBytes: MAX_BYTES,
    sizeOf: ({ text }) => text.length,
  });
  readonly #options: SaidLinesOptions;
  #second = 0;
  #inSecond = 0;
  #lost = 0;

  constructor(options: SaidLinesOptions) {
    this.#options = options;
  }

  add({ source, text, level }: SaidLine): void {
    if (!this.#hasRoom()) {
      this.#lost += 1;
      return;
    }
    this.tellLoss();
    for (const line of this.#linesOf(text)) {
      this.#inSecond += 1;
      this.#options.onLine({ source, level, text: line });
    }
  }

  /** Reports the number of lines left out since the last report. */
  tellLoss(): void {
    if (this.#lost === 0) return;
    const text = `(${this.#lost} more of these came too fast to be kept)`;
    this.#lost = 0;
    this.#options.onLine({ source: 'panel', level: undefined, text });
  }

  #hasRoom(): boolean {
    const second = Math.floor(this.#options.wallClock.epochMs() / MS_PER_S);
    if (second !== this.#second) this.#inSecond = 0;
    this.#second = second;
    return this.#inSecond < MAX_PER_S;
  }

  #linesOf(text: string): readonly string[] {
    const lines = this.#options
      .redact(text.slice(0, MAX_REDACTED_CHARACTERS))
      .split(BREAKS)
      .map((line) => cutLine(line));
    if (lines.length <= MAX_LINES_OF_TEXT) return lines;
    const rest = lines.length - MAX_LINES_OF_TEXT;
    return [...lines.slice(0, MAX_LINES_OF_TEXT), `(${rest} more lines)`];
  }
}
