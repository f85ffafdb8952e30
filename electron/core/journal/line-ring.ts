export interface LineRingOptions<L> {
  readonly maxLines: number;
  readonly maxBytes: number;
  readonly sizeOf: (line: L) => number;
}

/** So much more than the bound may be there, because a flood would copy the list for every line otherwise. */
const SLACK = 1.25;

/** The last lines of something, in bounded memory; the oldest go first. */
export class LineRing<L extends { readonly atUs: number }> {
  readonly #options: LineRingOptions<L>;
  #lines: L[] = [];
  #bytes = 0;
  #droppedUs = -1;

  constructor(options: LineRingOptions<L>) {
    this.#options = options;
  }

  /** Oldest first. It grows; where lines go, another list takes its place. */
  get lines(): readonly L[] {
    return this.#lines;
  }
  /** Place of the newest line that is gone; -1 before the first. */
  get droppedUs(): number {
    return this.#droppedUs;
  }

  add(line: L): void {
    const { maxLines, maxBytes, sizeOf } = this.#options;
    this.#lines.push(line);
    this.#bytes += sizeOf(line);
    if (this.#lines.length > maxLines * SLACK || this.#bytes > maxBytes * SLACK) this.#trim();
  }

  #trim(): void {
    const { maxLines, maxBytes, sizeOf } = this.#options;
    let first = Math.max(0, this.#lines.length - maxLines);
    for (let index = 0; index < first; index += 1) this.#bytes -= sizeOf(this.#lines[index]!);
    while (this.#bytes > maxBytes) this.#bytes -= sizeOf(this.#lines[first++]!);
    if (first > 0) this.#droppedUs = this.#lines[first - 1]!.atUs;
    this.#lines = this.#lines.slice(first);
  }
}
