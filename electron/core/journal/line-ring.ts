interface LineRingOptions<L> {
  readonly maxLines: number;
  readonly maxBytes: number;
  readonly sizeOf: (line: L) => number;
}

/** Lines that arrived while the clock was not set back by a large step, oldest first, so that their times ascend. */
interface LineRun<L> {
  readonly era: number;
  readonly lines: readonly L[];
}

/** The lines that are in memory, and the time of the newest line that was dropped; -1 if none was dropped. */
export interface LinesInMemory<L> {
  readonly runs: readonly LineRun<L>[];
  readonly droppedUs: number;
  readonly droppedEra: number;
}

interface RingLine {
  readonly atUs: number;
  readonly era?: number;
}

/** Factor by which the limit may be exceeded before lines are dropped. Without it, a flood would copy the list for every line. */
const SLACK = 1.25;

/** Last lines of a log, in bounded memory; the oldest are dropped first. */
export class LineRing<L extends RingLine> {
  readonly #options: LineRingOptions<L>;
  #lines: L[] = [];
  /** Indices of the first line after each large step back of the clock. */
  #breaks: number[] = [];
  #bytes = 0;
  #dropped: RingLine = { atUs: -1 };

  constructor(options: LineRingOptions<L>) {
    this.#options = options;
  }

  /** Lines, oldest first. The list grows in place; it is replaced when lines are dropped. */
  get lines(): readonly L[] {
    return this.#lines;
  }

  /** Returns the lines that are in memory now. Lines that arrive later may be added to the last run. */
  inMemory(): LinesInMemory<L> {
    const { atUs: droppedUs } = this.#dropped;
    return { runs: this.#runs(), droppedUs, droppedEra: eraOf(this.#dropped) };
  }

  add(line: L): void {
    const { maxLines, maxBytes, sizeOf } = this.#options;
    const last = this.#lines.at(-1);
    if (last && eraOf(last) !== eraOf(line)) this.#breaks.push(this.#lines.length);
    this.#lines.push(line);
    this.#bytes += sizeOf(line);
    if (this.#lines.length > maxLines * SLACK || this.#bytes > maxBytes * SLACK) this.#trim();
  }

  /** Returns the lines, split wherever the clock was set back by a large step. If that never happened, nothing is copied. */
  #runs(): readonly LineRun<L>[] {
    const [first] = this.#lines;
    if (!first) return [];
    if (this.#breaks.length === 0) return [{ era: eraOf(first), lines: this.#lines }];
    return [0, ...this.#breaks].map((start, nth) => {
      const lines = this.#lines.slice(start, this.#breaks[nth]);
      return { era: eraOf(lines[0]!), lines };
    });
  }

  #trim(): void {
    const { maxLines, maxBytes, sizeOf } = this.#options;
    let first = Math.max(0, this.#lines.length - maxLines);
    for (let index = 0; index < first; index += 1) this.#bytes -= sizeOf(this.#lines[index]!);
    while (this.#bytes > maxBytes) this.#bytes -= sizeOf(this.#lines[first++]!);
    if (first > 0) this.#dropped = this.#lines[first - 1]!;
    this.#lines = this.#lines.slice(first);
    this.#breaks = this.#breaks.map((index) => index - first).filter((index) => index > 0);
  }
}

const eraOf = ({ era = 0 }: RingLine): number => era;
