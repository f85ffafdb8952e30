import type { ShownLine } from '../format/log-lines.ts';
import type { LineMatcher } from '../../shared/line-query.ts';

/** Number of log lines searched between two checks of whether the time for the chunk is up. */
const LINES_PER_LOOK = 64;

/**
 * Search over log lines that are added at the end and removed at the beginning. The scan continues at the line where it
 * stopped, so only new lines are scanned, and it can run in chunks. Ids of lines are in ascending order.
 */
export class LineScan {
  readonly #matcher: LineMatcher | undefined;
  #lines: readonly ShownLine[] = [];
  #next = 0;
  #hits: readonly ShownLine[] = [];

  /** @param matcher tests whether a line matches; undefined if the user is not searching */
  constructor(matcher: LineMatcher | undefined) {
    this.#matcher = matcher;
  }

  /** Matching lines found so far; empty if the user is not searching. */
  get hits(): readonly ShownLine[] {
    return this.#hits;
  }

  get isDone(): boolean {
    return this.#next >= this.#lines.length;
  }

  /** Sets the current lines of the log. The search starts over if the new lines begin before the previous ones. */
  take(lines: readonly ShownLine[]): void {
    const last = this.#lines[this.#next - 1];
    const first = lines[0];
    const isNew = first === undefined || last === undefined || first.id < (this.#lines[0]?.id ?? first.id);
    this.#lines = lines;
    this.#next = isNew ? 0 : indexAfter(lines, last.id);
    this.#hits = isNew ? [] : from(this.#hits, first.id);
  }

  /** Scans further lines until all are scanned or `isTimeUp` returns true. */
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

/** Returns the index of the first line whose id is greater than the given one. */
function indexAfter(lines: readonly { readonly id: number }[], id: number): number {
  let [low, high] = [0, lines.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((lines[middle]?.id ?? Infinity) > id) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Returns the index of the row with this id; -1 if no row has it. The ids of rows are in ascending order. */
export function indexOfId(rows: readonly { readonly id: number }[], id: number): number {
  const index = indexAfter(rows, id) - 1;
  return rows[index]?.id === id ? index : -1;
}

/** Returns the index of the last row whose id is at most the given one; -1 if all ids are greater. */
export const indexUpTo = (rows: readonly { readonly id: number }[], id: number): number =>
  indexAfter(rows, id) - 1;

/** Returns the lines whose id is at least `id`; the same array if no line is removed from its beginning. */
function from(lines: readonly ShownLine[], id: number): readonly ShownLine[] {
  return (lines[0]?.id ?? id) >= id ? lines : lines.slice(indexAfter(lines, id - 1));
}
