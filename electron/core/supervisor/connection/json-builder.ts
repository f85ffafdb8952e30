import { cutText } from '../../../../shared/cut-text.ts';
import type { BoundedData, DataBounds } from '../../../../shared/plain-data.ts';
import type { JsonSink } from './json-scanner.ts';
import { decodeText, safeCut } from './json-text.ts';

const QUOTE = 0x22;
const OBJECT = 0x7b;
const LIST = 0x5b;
const LEFT_OUT = '…';
/** Beyond the bounds, so many times as many values are counted, and then no more. */
const COUNTED_TIMES = 10;
/**
 * Each outer field leaves this share of the room that it finds to those behind it: one with millions of values must not
 * crowd out all others. How many fields there are is known only at their end.
 */
const LEFT_TO_OTHERS = 0.2;

type Fields = Record<string, unknown>;

interface Container {
  readonly value: Fields | unknown[];
  entries: number;
}

/** A text that is read piece by piece. */
interface OpenText {
  /** Where what was not read yet begins. */
  at: number;
  /** What is kept so far; of a text that is too long, a little more than is allowed. */
  kept: string;
  length: number;
  /** Undefined for one that is only counted. */
  readonly maxLength: number | undefined;
  /** It is kept as a whole or not at all. */
  readonly isWhole: boolean;
}

/** Builds the value of a JSON text within bounds while the text is read, as `boundData` bounds a value that is there. */
export class JsonBuilder implements JsonSink {
  /** What is left out and no longer counted need not be told. */
  maxDepth = Infinity;
  readonly #bytes: Buffer;
  readonly #bounds: DataBounds;
  readonly #containers: Container[] = [];
  #root: Fields = {};
  #name = '';
  /** The same, as far as there is room for it. */
  #key = '';
  #text: OpenText | undefined;
  /** Where a number or a word began. */
  #scalarAt = -1;
  /** What lies deeper than this is only counted. */
  #leftOutDepth = Infinity;
  #valuesLeft: number;
  /** Values that are left to the outer fields behind this one. */
  #keptBack = 0;
  #lengthLeft: number;
  #wholeLengthLeft: number;
  #countLeft: number;
  #lostValues = 0;
  #lostCharacters = 0;

  /** @param bytes the whole text, which is read */
  constructor(bytes: Buffer, bounds: DataBounds) {
    this.#bytes = bytes;
    this.#bounds = bounds;
    this.#valuesLeft = bounds.maxValues;
    this.#lengthLeft = bounds.maxTotalLength;
    this.#wholeLengthLeft = bounds.wholeTexts?.maxTotalLength ?? 0;
    this.#countLeft = bounds.maxValues * COUNTED_TIMES;
  }

  get built(): BoundedData {
    const [values, characters, isAtLeast] = [this.#lostValues, this.#lostCharacters, this.#countLeft <= 0];
    const value = this.#root;
    return values + characters === 0 ? { value } : { value, loss: { characters, values, isAtLeast } };
  }

  onName(depth: number, start: number, end: number): void {
    if (this.#isCountedOut && depth > this.#leftOutDepth) return;
    const name = decodeText(this.#bytes, { start: start + 1, end: end - 1 });
    if (depth > this.#leftOutDepth) this.#lostCharacters += name.length;
    else this.#name = name;
  }

  onBegin(depth: number, at: number, byte: number): void {
    const isWithinLeftOut = depth > this.#leftOutDepth;
    const isKept = !isWithinLeftOut && this.#takeRoom(depth);
    if (!isKept) this.#leaveOut(isWithinLeftOut ? '' : this.#name);
    if (byte === QUOTE) this.#beginText(at + 1, isKept);
    else if (byte === OBJECT || byte === LIST) this.#open(depth, byte, isKept);
    else if (isKept) this.#scalarAt = at;
  }

  onEnd(depth: number, end: number): void {
    if (this.#text) this.#endText(this.#text, end - 1);
    else if (this.#scalarAt >= 0) this.#endScalar(end);
    else if (depth === this.#leftOutDepth) this.#leftOutDepth = this.maxDepth = Infinity;
    // A scalar that is left out ends deeper than the container that it lies in.
    else if (depth === this.#containers.length - 1) this.#containers.pop();
  }

  onPart(position: number): void {
    const text = this.#text;
    if (text) this.#readText(text, safeCut(this.#bytes, position, text.at));
  }

  get #isCountedOut(): boolean {
    return this.#countLeft <= 0;
  }

  /** Whether the value that begins is kept. Its name is, too, as far as there is room for it. */
  #takeRoom(depth: number): boolean {
    const parent = this.#containers.at(-1);
    if (!parent) return true;
    if (depth === 1) this.#keptBack = 0;
    if (parent.entries >= this.#bounds.maxEntries || this.#valuesLeft <= this.#keptBack) return false;
    parent.entries += 1;
    this.#valuesLeft -= 1;
    if (depth === 1) this.#keptBack = this.#valuesLeft * LEFT_TO_OTHERS;
    if (!Array.isArray(parent.value)) this.#key = this.#fit(this.#name, this.#name.length, this.#maxLength);
    return true;
  }

  #leaveOut(name: string): void {
    this.#countLeft -= 1;
    if (this.#isCountedOut) return;
    this.#lostValues += 1;
    if (!Array.isArray(this.#containers.at(-1)?.value)) this.#lostCharacters += name.length;
  }

  #open(depth: number, byte: number, isKept: boolean): void {
    if (isKept && depth < this.#bounds.maxDepth) {
      const value = byte === LIST ? [] : {};
      if (depth > 0) this.#put(value);
      else if (!Array.isArray(value)) this.#root = value;
      this.#containers.push({ value, entries: 0 });
      return;
    }
    if (isKept) {
      this.#put(LEFT_OUT);
      this.#leaveOut('');
    }
    this.#leftOutDepth = Math.min(this.#leftOutDepth, depth);
    if (this.#isCountedOut) this.maxDepth = this.#leftOutDepth;
  }

  #beginText(at: number, isKept: boolean): void {
    if (!isKept) {
      if (!this.#isCountedOut) this.#text = { at, kept: '', length: 0, maxLength: undefined, isWhole: false };
      return;
    }
    const isField = !Array.isArray(this.#containers.at(-1)?.value);
    const isWhole = isField && this.#bounds.wholeTexts?.names.includes(this.#name) === true;
    const maxLength = isWhole ? this.#wholeLengthLeft : this.#maxLength;
    this.#text = { at, kept: '', length: 0, maxLength, isWhole };
  }

  #readText(text: OpenText, end: number): void {
    const piece = decodeText(this.#bytes, { start: text.at, end });
    text.at = end;
    text.length += piece.length;
    if (text.maxLength !== undefined && text.kept.length <= text.maxLength) text.kept += piece;
  }

  #endText(text: OpenText, end: number): void {
    this.#readText(text, end);
    this.#text = undefined;
    const { kept, length, maxLength, isWhole } = text;
    if (maxLength === undefined) this.#lostCharacters += length;
    else if (!isWhole) this.#put(this.#fit(kept, length, maxLength));
    else if (length <= maxLength) {
      this.#wholeLengthLeft -= length;
      this.#put(kept);
    } else {
      this.#lostCharacters += length;
      this.#put(LEFT_OUT);
    }
  }

  #endScalar(end: number): void {
    this.#put(JSON.parse(this.#bytes.toString('latin1', this.#scalarAt, end)));
    this.#scalarAt = -1;
  }

  get #maxLength(): number {
    return Math.min(this.#bounds.maxTextLength, this.#lengthLeft);
  }

  #fit(text: string, length: number, maxLength: number): string {
    const cut = cutText(text, maxLength, 'end', length);
    this.#lengthLeft -= cut.text.length;
    this.#lostCharacters += cut.lostLength;
    return cut.text;
  }

  #put(value: unknown): void {
    const parent = this.#containers.at(-1)?.value;
    if (Array.isArray(parent)) parent.push(value);
    // As the parser does: a name that means something to JavaScript is a name like others here.
    else if (parent && this.#key === '__proto__')
      Object.defineProperty(parent, this.#key, {
        value,
        enumerable: true,
        writable: true,
        configurable: true,
      });
    // eslint-disable-next-line local/no-foreign-index -- the parser's object, and a name that an assignment adds to it
    else if (parent) parent[this.#key] = value;
  }
}
