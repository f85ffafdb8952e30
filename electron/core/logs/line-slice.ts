import { firstWhere, type LineCursor } from './line-cursor.ts';
import type { LinePlace, Side } from './line-place.ts';

/** What is asked of a slice: how far it goes. */
export interface SliceBounds {
  readonly side: Side;
  /** It ends before lines from there on, in microseconds; older ones are before it for the side `older`. */
  readonly untilUs: number | undefined;
  readonly maxLines: number;
  readonly maxScanned: number;
  /** Of the lines that are looked at. */
  readonly maxCharacters: number;
}

export interface Slice<T> {
  /** Nearest first. */
  readonly lines: T[];
  /** The last line that was looked at, where a bound ended it; undefined where there is nothing more. */
  end: LinePlace | undefined;
  scanned: number;
}

/** What becomes of the line at which a cursor stands: something of it, or nothing. */
export interface Looked<T> {
  readonly taken: T | undefined;
  readonly characters: number;
}

type AnyCursor = LineCursor<{ readonly atUs: number }>;

/** Lines of several lists in the order of their places, looked at one by one, in as many steps as one likes. */
export class SliceRun<C extends AnyCursor, T> {
  readonly slice: Slice<T> = { lines: [], end: undefined, scanned: 0 };
  /** The nearest last, because there it is taken away and put back most cheaply. */
  readonly #cursors: C[] = [];
  readonly #bounds: SliceBounds;
  readonly #look: (cursor: C) => Looked<T>;
  #characters = 0;

  constructor(cursors: readonly C[], bounds: SliceBounds, look: (cursor: C) => Looked<T>) {
    this.#bounds = bounds;
    this.#look = look;
    for (const cursor of cursors) this.#put(cursor);
  }

  /** Looks at up to so many lines. True when the slice is complete. */
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

  /** In its place among the others; one that is at its end is left out. */
  #put(cursor: C): void {
    const { nextUs, stream } = cursor;
    if (nextUs === undefined) return;
    const sign = this.#bounds.side === 'newer' ? 1 : -1;
    const isNearer = (other: C) => {
      const difference = (other.nextUs! - nextUs) * sign;
      return difference < 0 || (difference === 0 && other.stream < stream === (sign === 1));
    };
    // One server often says many things in a row.
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
