import { cutText } from './cut-text.ts';
import { ownValue } from './own-value.ts';

/** How much of a value is kept. Texts and names of fields are counted in UTF-16 code units. */
export interface DataBounds {
  /** Levels of lists and objects, the outermost one included. */
  readonly maxDepth: number;
  /** Most entries of one list or object. */
  readonly maxEntries: number;
  /** Everything at every level. */
  readonly maxValues: number;
  readonly maxTextLength: number;
  /** All texts and names together. */
  readonly maxTotalLength: number;
  /** The place where a text is cut: `middle` keeps its end, too. */
  readonly cutTexts: 'end' | 'middle';
  /** Fields whose text is of no use in part, such as a picture: kept whole up to their own length in all, or left out. */
  readonly wholeTexts?: { readonly names: readonly string[]; readonly maxTotalLength: number };
  /** Replaces secrets in a text. It sees texts before they are cut, since half of a secret cannot be told from other words. */
  readonly redact?: (text: string) => string;
}

/** What was left out. */
export interface DataLoss {
  readonly characters: number;
  readonly values: number;
  /** More than was worth counting. */
  readonly isAtLeast: boolean;
}

export interface BoundedData {
  readonly value: Record<string, unknown>;
  /** Absent where nothing was. */
  readonly loss?: DataLoss;
}

const LEFT_OUT = '…';
/** Each outermost field leaves this share of the room that it finds to those behind it: one with millions of values must not crowd them out. */
const LEFT_TO_OTHERS = 0.2;
/** Beyond the bound, so many times as much is counted, and then no more. */
const COUNTED_TIMES = 10;

/**
 * A copy of `data` within `bounds`, and what it lacks. It is plain data whatever went in, and can be written as JSON and
 * cloned: no circles, no functions, big integers as text; of a list or an object that is cut the first entries are kept.
 * The work is bounded, too, so that data of a stranger can be handed in as it came.
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
  /** Values that are left to the outermost fields behind this one. */
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

  /** Counted before any of them is copied, so that one of them with many parts does not crowd out those beside it. */
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

  /** The text of a field that is kept whole or not at all; undefined for a field that may be cut. */
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

  /** A long text is redacted in two parts, its ends, each longer than what is kept of it: nobody sees what lies between. */
  #redact(text: string): string {
    const { redact, maxTextLength } = this.#bounds;
    if (redact === undefined) return text;
    const partLength = maxTextLength * 2;
    const lostLength = text.length - partLength * 2;
    if (lostLength <= 0) return redact(text);
    this.#lostCharacters += lostLength;
    return `${redact(text.slice(0, partLength))}…${redact(text.slice(-partLength))}`;
  }

  /** Counts what is within. False when that is more than is counted. Without recursion, since it may be nested to any depth. */
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

/** False for what JSON has no form for. */
const isData = (value: unknown): boolean =>
  value !== undefined && typeof value !== 'function' && typeof value !== 'symbol';
