import { firstWhere, type LineCursor } from './line-cursor.ts';
import type { LinePlace, Side } from './line-place.ts';

/** Direction, end and maximum size of a slice: consecutive log lines that are read before or after a position. */
export interface SliceBounds {
  readonly side: Side;
  /**
   * Epoch microseconds at which the slice ends. A slice of newer lines contains only lines before that time; a slice of older
   * lines contains only lines from that time on. Undefined for no such end.
   */
  readonly untilUs: number | undefined;
  readonly maxLines: number;
  readonly maxScanned: number;
  /** Maximum total characters of the lines scanned for the slice. */
  readonly maxCharacters: number;
}

export interface Slice<T> {
  /** Lines of the slice, the one nearest to the start position first. */
  readonly lines: T[];
  /** Position of the last scanned line, if reading stopped at a size limit; undefined if there are no more lines. */
  end: LinePlace | undefined;
  scanned: number;
}

/** Result of scanning a line: the value to put into the slice, or undefined if the line does not match the query. */
export interface Looked<T> {
  readonly taken: T | undefined;
  readonly characters: number;
}

type AnyCursor = LineCursor<{ readonly atUs: number }>;

/** Merges several lists of log lines into one slice, ordered by position. The work can be split into any number of steps. */
export class SliceRun<C extends AnyCursor, T> {
  readonly slice: Slice<T> = { lines: [], end: undefined, scanned: 0 };
  /** Cursors of the lists. The one with the nearest next line is last, because adding and removing are cheapest there. */
  readonly #cursors: C[] = [];
  readonly #bounds: SliceBounds;
  readonly #look: (cursor: C) => Looked<T>;
  #characters = 0;

  constructor(cursors: readonly C[], bounds: SliceBounds, look: (cursor: C) => Looked<T>) {
    this.#bounds = bounds;
    this.#look = look;
    for (const cursor of cursors) this.#put(cursor);
  }

  /** Scans up to `maxLines` lines. Returns true if the slice is complete. */
  step(maxLines = Infinity): boolean {
    for (let looked = 0; looked < maxLines; looked += 1) {
      const cursor = this.#cursors.pop();
      if (!cursor || this.#isBehind(cursor.nextUs!)) {
        this.slice.end = undefined;
        return true;
      }
      this.slice.end = { atUs: cursor.nextUs!, stream: cursor.stream };
      this.#lookAt(cursor);
      if (this.#isFull()) return true;
    }
    return false;
  }

  #lookAt(cursor: C): void {
    const { taken, characters } = this.#look(cursor);
    this.slice.scanned += 1;
    this.#characters += characters;
    if (taken !== undefined) this.slice.lines.push(taken);
    cursor.advance();
    this.#put(cursor);
  }

  /** Inserts a cursor in the order of its next line's position. A cursor that has no more lines is dropped. */
  #put(cursor: C): void {
    const { nextUs, stream } = cursor;
    if (nextUs === undefined) return;
    const sign = this.#bounds.side === 'newer' ? 1 : -1;
    const isNearer = (other: C) => {
      const difference = (other.nextUs! - nextUs) * sign;
      return difference < 0 || (difference === 0 && other.stream < stream === (sign === 1));
    };
    // Checks the last entry first, because this cursor usually stays the nearest: one server often writes many lines in a row.
    const last = this.#cursors.at(-1);
    const at =
      last && isNearer(last)
        ? firstWhere(this.#cursors.length, (index) => isNearer(this.#cursors[index]!))
        : this.#cursors.length;
    this.#cursors.splice(at, 0, cursor);
  }

  #isFull(): boolean {
    const { maxLines, maxScanned, maxCharacters } = this.#bounds;
    const { lines, scanned } = this.slice;
    return lines.length >= maxLines || scanned >= maxScanned || this.#characters >= maxCharacters;
  }

  #isBehind(atUs: number): boolean {
    const { side, untilUs } = this.#bounds;
    if (untilUs === undefined) return false;
    return side === 'newer' ? atUs >= untilUs : atUs < untilUs;
  }
}
