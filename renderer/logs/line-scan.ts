import type { ShownLine } from '../format/log-lines.ts';
import type { LineMatcher } from './line-query.ts';

/** Lines between two looks at the clock. */
const LINES_PER_LOOK = 64;

/**
 * Search over lines that grow at the end and are cut at the head. It goes on where it stopped, so new lines
 * cost no more than themselves, and it can be done in slices. Ids of lines ascend.
 */
export class LineScan {
  readonly #matcher: LineMatcher | undefined;
  #lines: readonly ShownLine[] = [];
  #next = 0;
  #hits: readonly ShownLine[] = [];

  /** @param matcher what is looked for, if anything */
  constructor(matcher: LineMatcher | undefined) {
    this.#matcher = matcher;
  }

  /** Lines that match; none without a search. */
  get hits(): readonly ShownLine[] {
    return this.#hits;
  }

  get isDone(): boolean {
    return this.#next >= this.#lines.length;
  }

  /** Takes the lines as they are now. Lines that came before the first known one begin the search anew. */
  take(lines: readonly ShownLine[]): void {
    const last = this.#lines[this.#next - 1];
    const first = lines[0];
    const isNew = first === undefined || last === undefined || first.id < (this.#lines[0]?.id ?? first.id);
    this.#lines = lines;
    this.#next = isNew ? 0 : indexAfter(lines, last.id);
    this.#hits = isNew ? [] : from(this.#hits, first.id);
  }

  /** Looks at further lines, until all are seen or `isTimeUp` says so. */
  step(isTimeUp: () => boolean): void {
    const matcher = this.#matcher;
    if (matcher === undefined) this.#next = this.#lines.length;
    if (matcher === undefined || this.isDone) return;
    const hits: ShownLine[] = [];
    do {
      const end = Math.min(this.#next + LINES_PER_LOOK, this.#lines.length);
      for (const line of this.#lines.slice(this.#next, end)) if (matcher.test(line.text)) hits.push(line);
      this.#next = end;
    } while (!this.isDone && !isTimeUp());
    if (hits.length > 0) this.#hits = [...this.#hits, ...hits];
  }
}

/** Index of the first line with an id above the given one. */
function indexAfter(lines: readonly { readonly id: number }[], id: number): number {
  let [low, high] = [0, lines.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((lines[middle]?.id ?? Infinity) > id) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Index of the row with this id; -1 where there is none. Ids ascend. */
export function indexOfId(rows: readonly { readonly id: number }[], id: number): number {
  const index = indexAfter(rows, id) - 1;
  return rows[index]?.id === id ? index : -1;
}

/** Index of the last row whose id is not above the given one; -1 where all are. */
export const indexUpTo = (rows: readonly { readonly id: number }[], id: number): number =>
  indexAfter(rows, id) - 1;

/** The same list while nothing was cut from its head. */
function from(lines: readonly ShownLine[], id: number): readonly ShownLine[] {
  return (lines[0]?.id ?? id) >= id ? lines : lines.slice(indexAfter(lines, id - 1));
}
