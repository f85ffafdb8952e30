import { boundaryBeside, type LinePlace, type Side } from './line-place.ts';

/** Lines of one log in ascending order of time, divided into sheets: groups of lines that are loaded together when needed. */
export interface LineList<L extends { readonly atUs: number }> {
  readonly stream: string;
  readonly sheetCount: number;
  /** Returns the time of the first line of a sheet, in microseconds. Sheets are never empty. */
  firstUs(sheet: number): number;
  lastUs(sheet: number): number;
  load(sheet: number): readonly L[];
}

/** Returns a list of lines in memory. */
export function listOf<L extends { readonly atUs: number }>(
  stream: string,
  lines: readonly L[],
): LineList<L> {
  // The array may grow meanwhile; later lines are not part of this list.
  const count = lines.length;
  return {
    stream,
    sheetCount: count === 0 ? 0 : 1,
    firstUs: () => lines[0]!.atUs,
    lastUs: () => lines[count - 1]!.atUs,
    load: () => (lines.length === count ? lines : lines.slice(0, count)),
  };
}

/** A line, given by its index in a sheet (a group of lines loaded together), with access to the sheet before. */
export interface LineHere<L> {
  readonly lines: readonly L[];
  readonly index: number;
  /** Returns the sheet (page of lines) before this one; empty at the beginning of the list. */
  readonly above: () => readonly L[];
}

/** Iterates over the lines of a list before or after a position, the nearest first. */
export class LineCursor<L extends { readonly atUs: number }> {
  readonly #list: LineList<L>;
  readonly #step: 1 | -1;
  #sheet: number;
  #lines: readonly L[] | undefined;
  #linesAbove: readonly L[] | undefined;
  #index = 0;

  /**
   * @param beside position at which the cursor starts; if undefined, it starts with the first line (for newer lines) or the
   * last line (for older lines) of the list
   */
  constructor(list: LineList<L>, side: Side, beside: LinePlace | undefined) {
    this.#list = list;
    this.#step = side === 'newer' ? 1 : -1;
    this.#sheet = side === 'newer' ? 0 : list.sheetCount - 1;
    if (beside) this.#goTo(boundaryBeside(list.stream, beside, side), side);
  }

  get stream(): string {
    return this.#list.stream;
  }
  /** Position of the next line; undefined at the end. */
  get nextUs(): number | undefined {
    if (this.#lines) return this.#lines[this.#index]!.atUs;
    if (this.#sheet < 0 || this.#sheet >= this.#list.sheetCount) return undefined;
    return this.#step === 1 ? this.#list.firstUs(this.#sheet) : this.#list.lastUs(this.#sheet);
  }
  /** The next line. Must not be read at the end of the list. */
  get here(): LineHere<L> {
    return { lines: this.#load(), index: this.#index, above: this.#above };
  }

  advance(): void {
    const lines = this.#load();
    this.#index += this.#step;
    if (this.#index < 0 || this.#index >= lines.length) this.#nextSheet();
  }

  #load(): readonly L[] {
    if (this.#lines) return this.#lines;
    const lines = this.#list.load(this.#sheet);
    this.#index = this.#step === 1 ? 0 : lines.length - 1;
    return (this.#lines = lines);
  }

  readonly #above = (): readonly L[] =>
    (this.#linesAbove ??= this.#sheet > 0 ? this.#list.load(this.#sheet - 1) : []);

  /** Moves to the next sheet, without loading a sheet twice. */
  #nextSheet(): void {
    const [lines, above] = [this.#lines, this.#linesAbove];
    this.#linesAbove = this.#step === 1 ? lines : undefined;
    this.#lines = this.#step === -1 && this.#sheet > 0 ? above : undefined;
    if (this.#lines) this.#index = this.#lines.length - 1;
    this.#sheet += this.#step;
  }

  #goTo(boundaryUs: number, side: Side): void {
    const { sheetCount } = this.#list;
    // Finds the nearest sheet on the wanted side of the boundary, or the sheet that contains the boundary.
    this.#sheet =
      side === 'newer'
        ? firstWhere(sheetCount, (sheet) => this.#list.lastUs(sheet) > boundaryUs)
        : firstWhere(sheetCount, (sheet) => this.#list.firstUs(sheet) >= boundaryUs) - 1;
    if (this.#sheet < 0 || this.#sheet >= sheetCount) return;
    const isCut =
      side === 'newer'
        ? this.#list.firstUs(this.#sheet) < boundaryUs
        : this.#list.lastUs(this.#sheet) > boundaryUs;
    if (!isCut) return;
    const lines = this.#load();
    const behind = firstWhere(lines.length, (index) => lines[index]!.atUs > boundaryUs);
    this.#index = side === 'newer' ? behind : behind - 1;
    // Lines on disk may have been removed since their sheets were listed.
    if (this.#index < 0 || this.#index >= lines.length) this.#nextSheet();
  }
}

/** Returns the first index for which `holds` is true, if `holds` is true for all later ones as well; `count` if there is none. */
export function firstWhere(count: number, holds: (index: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
