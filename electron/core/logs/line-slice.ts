import type { LineCursor } from './line-cursor.ts';
import type { Place, Side } from './line-place.ts';

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
  end: Place | undefined;
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
  readonly #cursors: C[];
  readonly #bounds: SliceBounds;
  readonly #look: (cursor: C) => Looked<T>;
  #characters = 0;

  constructor(cursors: readonly C[], bounds: SliceBounds, look: (cursor: C) => Looked<T>) {
    this.#cursors = cursors.filter(({ nextUs }) => nextUs !== undefined);
    this.#bounds = bounds;
    this.#look = look;
  }

  /** Looks at up to so many lines. True when the slice is complete. */
  step(maxLines = Infinity): boolean {
    for (let looked = 0; looked < maxLines; looked += 1) {
      const cursor = this.#nearest();
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
    if (cursor.nextUs === undefined) this.#cursors.splice(this.#cursors.indexOf(cursor), 1);
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

  #nearest(): C | undefined {
    const sign = this.#bounds.side === 'newer' ? 1 : -1;
    let nearest: C | undefined;
    let nearestUs = 0;
    for (const cursor of this.#cursors) {
      const difference = nearest ? (cursor.nextUs! - nearestUs) * sign : -1;
      const isNearer =
        difference < 0 || (difference === 0 && cursor.stream < nearest!.stream === (sign === 1));
      if (!isNearer) continue;
      nearest = cursor;
      nearestUs = cursor.nextUs!;
    }
    return nearest;
  }
}
