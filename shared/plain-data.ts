import { cutText } from './cut-text.ts';
import { ownValue } from './own-value.ts';

/** Bounds of a copied value. Lengths of texts and field names are counted in UTF-16 code units. */
export interface DataBounds {
  /** Maximum levels of arrays and objects, including the outermost one. */
  readonly maxDepth: number;
  /** Maximum number of entries in any one list or object. */
  readonly maxEntries: number;
  /** Maximum values at all levels together. */
  readonly maxValues: number;
  readonly maxTextLength: number;
  /** Maximum code units of all texts and names together. */
  readonly maxTotalLength: number;
  /** Where a text is cut: `middle` keeps both the start and the end of the text. */
  readonly cutTexts: 'end' | 'middle';
  /**
   * Fields whose text is useless if incomplete, such as a picture. Such a text is either kept whole or left out. These texts
   * have their own maximum total length.
   */
  readonly wholeTexts?: { readonly names: readonly string[]; readonly maxTotalLength: number };
  /** Replaces secrets in a text. Called before the text is cut, because a partial secret cannot be recognized. */
  readonly redact?: (text: string) => string;
}

/** Amount that was left out. */
interface DataLoss {
  readonly characters: number;
  readonly values: number;
  /** True if more was left out than is counted here, because counting stopped early. */
  readonly isAtLeast: boolean;
}

export interface BoundedData {
  readonly value: Record<string, unknown>;
  /** Amount that was left out; undefined if nothing was left out. */
  readonly loss?: DataLoss;
}

const LEFT_OUT = '…';
/** Fraction of the remaining room that each outermost field leaves for later ones, so that a huge field cannot use it all. */
const LEFT_TO_OTHERS = 0.2;
/** Left-out values are counted up to this multiple of the maximum number of values. */
const COUNTED_TIMES = 10;

/**
 * Copies `data` within `bounds` and counts what is left out. The copy can always be converted to JSON or cloned: it has no
 * cycles and no functions, and big integers become text. Lists and objects that are too long keep their first entries. The work
 * is bounded, too, so untrusted data can be passed in.
 */
export function boundData(data: Readonly<Record<string, unknown>>, bounds: DataBounds): BoundedData {
  const copy = new BoundedCopy(bounds);
  const value = copy.fields(data, 1);
  const { loss } = copy;
  return loss.values + loss.characters === 0 ? { value } : { value, loss };
}

class BoundedCopy {
  readonly #bounds: DataBounds;
  #valuesLeft: number;
  /** Number of values reserved for the outermost fields after the current one. */
  #keptBack = 0;
  #lengthLeft: number;
  #wholeLengthLeft: number;
  #countLeft: number;
  #lostValues = 0;
  #lostCharacters = 0;

  constructor(bounds: DataBounds) {
    this.#bounds = bounds;
    this.#valuesLeft = bounds.maxValues;
    this.#lengthLeft = bounds.maxTotalLength;
    this.#wholeLengthLeft = bounds.wholeTexts?.maxTotalLength ?? 0;
    this.#countLeft = bounds.maxValues * COUNTED_TIMES;
  }

  get loss(): DataLoss {
    return {
      characters: this.#lostCharacters,
      values: this.#lostValues,
      isAtLeast: this.#countLeft <= 0,
    };
  }

  fields(data: Readonly<Record<string, unknown>>, depth: number): Record<string, unknown> {
    const names = Object.keys(data).filter((name) => isData(ownValue(data, name)));
    const kept = this.#keptOf(names.length);
    const entries = names.slice(0, kept).map((name, index) => {
      if (depth === 1) this.#keptBack = index < kept - 1 ? this.#valuesLeft * LEFT_TO_OTHERS : 0;
      return [
        this.#text(name),
        this.#whole(name, ownValue(data, name)) ?? this.#copy(ownValue(data, name), depth),
      ];
    });
    for (const name of names.slice(kept)) if (!this.#leaveOut(name, ownValue(data, name))) break;
    return Object.fromEntries(entries) as Record<string, unknown>;
  }

  #list(list: readonly unknown[], depth: number): unknown[] {
    const kept = this.#keptOf(list.length);
    const items = list.slice(0, kept).map((item) => (isData(item) ? this.#copy(item, depth) : null));
    for (let index = kept; index < list.length; index += 1) if (!this.#leaveOut('', list[index])) break;
    return items;
  }

  /**
   * Reserves room for all entries before any entry is copied, so that an entry with many parts does not displace its
   * neighbours. Returns the number of entries to keep.
   */
  #keptOf(entries: number): number {
    const room = Math.max(0, Math.floor(this.#valuesLeft - this.#keptBack));
    const kept = Math.min(entries, this.#bounds.maxEntries, room);
    this.#valuesLeft -= kept;
    return kept;
  }

  #copy(value: unknown, depth: number): unknown {
    if (typeof value === 'string') return this.#text(value);
    if (typeof value === 'bigint') return this.#text(value.toString());
    if (typeof value !== 'object' || value === null) return value;
    if (depth < this.#bounds.maxDepth) {
      return Array.isArray(value)
        ? this.#list(value, depth + 1)
        : this.fields(value as Readonly<Record<string, unknown>>, depth + 1);
    }
    this.#leaveOut('', value);
    return LEFT_OUT;
  }

  /** Returns the text of a field that must not be cut, or a marker if it is left out; undefined for a field that may be cut. */
  #whole(name: string, value: unknown): string | undefined {
    const { wholeTexts } = this.#bounds;
    if (typeof value !== 'string' || wholeTexts?.names.includes(name) !== true) return undefined;
    if (value.length <= this.#wholeLengthLeft) {
      this.#wholeLengthLeft -= value.length;
      return value;
    }
    this.#lostCharacters += value.length;
    return LEFT_OUT;
  }

  #text(text: string): string {
    const { maxTextLength, cutTexts } = this.#bounds;
    const cut = cutText(this.#redact(text), Math.min(maxTextLength, this.#lengthLeft), cutTexts);
    this.#lengthLeft -= cut.text.length;
    this.#lostCharacters += cut.lostLength;
    return cut.text;
  }

  /** Redacts both ends of a long text and drops the middle. Each redacted end is longer than the part of it that is kept. */
  #redact(text: string): string {
    const { redact, maxTextLength } = this.#bounds;
    if (redact === undefined) return text;
    const partLength = maxTextLength * 2;
    const lostLength = text.length - partLength * 2;
    if (lostLength <= 0) return redact(text);
    this.#lostCharacters += lostLength;
    return `${redact(text.slice(0, partLength))}…${redact(text.slice(-partLength))}`;
  }

  /**
   * Counts a value that is left out, and all values within it. Returns false if counting has stopped. Not recursive, because
   * values may be nested to any depth.
   */
  #leaveOut(name: string, value: unknown): boolean {
    this.#lostCharacters += name.length;
    const waiting: unknown[] = [value];
    while (waiting.length > 0) {
      this.#countLeft -= 1;
      if (this.#countLeft <= 0) return false;
      const next = waiting.pop();
      this.#lostValues += 1;
      if (typeof next === 'string') this.#lostCharacters += next.length;
      if (typeof next !== 'object' || next === null) continue;
      const parts: readonly unknown[] = Object.values(next);
      if (!Array.isArray(next)) for (const field in next) this.#lostCharacters += field.length;
      for (const part of parts) {
        if (waiting.length >= this.#countLeft) break;
        waiting.push(part);
      }
    }
    return true;
  }
}

/** True if JSON can express the value. */
const isData = (value: unknown): boolean =>
  value !== undefined && typeof value !== 'function' && typeof value !== 'symbol';
