import type { OutputLine } from '../../../shared/domain.ts';
import type { WallClock } from '../clock.ts';

const MAX_LINES = 2000;
const MAX_BYTES = 512 * 1024;
const MAX_LINE_CHARACTERS = 4000;
const TAIL_LINES = 20;
const TAIL_CHARACTERS = 4000;
/** Number of lines that a cause is looked for in: more than are shown, because the line that tells why may stand above a long stack. */
const RECENT_LINES = 200;

/** A line as it is shown. */
export const cutLine = (line: string): string => line.slice(0, MAX_LINE_CHARACTERS);

/** The end of an output, as long as events and errors quote it. */
export const shownTail = (text: string): string =>
  text.split('\n').slice(-TAIL_LINES).join('\n').slice(-TAIL_CHARACTERS);

/** The last lines of a server's stderr, over its runs. The oldest lines go first; an over-long one is cut. */
export class OutputLog {
  readonly #wallClock: WallClock;
  #lines: OutputLine[] = [];
  #bytes = 0;
  #count = 0;
  #generation = 0;

  constructor(wallClock: WallClock) {
    this.#wallClock = wallClock;
  }

  /** A new run begins: what follows is its output. */
  begin(generation: number): void {
    this.#generation = generation;
  }

  add(line: string): void {
    const text = cutLine(line);
    this.#count += 1;
    this.#lines.push({ id: this.#count, at: this.#wallClock.epochMs(), generation: this.#generation, text });
    this.#bytes += text.length;
    if (this.#lines.length > MAX_LINES * 1.25 || this.#bytes > MAX_BYTES * 1.25) this.#trim();
  }

  /** Lines with an id above `afterId`, oldest first. */
  since(afterId: number): readonly OutputLine[] {
    return this.#lines.filter((line) => line.id > afterId);
  }

  /** The last lines of the current run, up to 200, with `unfinished` behind them; empty when there is nothing. */
  recent(unfinished: string): string {
    const lines = this.#lines
      .slice(-RECENT_LINES)
      .filter((line) => line.generation === this.#generation)
      .map((line) => line.text);
    if (unfinished !== '') lines.push(unfinished);
    return lines.join('\n');
  }

  /** Drops the oldest lines. The caller waits until a quarter too many are there, because a flood would copy the list for every line. */
  #trim(): void {
    let first = Math.max(0, this.#lines.length - MAX_LINES);
    for (let index = 0; index < first; index += 1) this.#bytes -= this.#lines[index]!.text.length;
    while (this.#bytes > MAX_BYTES) this.#bytes -= this.#lines[first++]!.text.length;
    this.#lines = this.#lines.slice(first);
  }
}
