import type { JsonSink } from '../supervisor/connection/json-scanner.ts';
import { bodyOf, readBody } from '../supervisor/connection/long-body.ts';
import type { LongMessage } from '../supervisor/connection/long-message.ts';

const LIST = 0x5b;
/** Of one item, which is parsed in one turn. Larger ones are counted and no more: nobody could read them. */
const MAX_ITEM_BYTES = 1024 * 1024;
const MAX_ITEM_VALUES = 20_000;
const MAX_CURSOR_BYTES = 256 * 1024;

export interface LongListOptions {
  /** The list's name in the result. */
  readonly name: string;
  /** Undefined stands for an item that is too large. False when no more items are wanted; they are only counted then. */
  readonly onItem: (item: unknown) => boolean;
}

/** What a result says of its list. */
export interface LongList {
  /** Undefined where the result holds no list of the name. */
  readonly count: number | undefined;
  readonly nextCursor: string | undefined;
}

/** Takes the items of a list out of a long result one by one, some of them per turn, without building the whole. */
export async function readLongList(message: LongMessage, options: LongListOptions): Promise<LongList> {
  const bytes = bodyOf(message);
  const reader = new ListReader(bytes, options);
  await readBody(bytes, reader);
  return reader;
}

class ListReader implements JsonSink, LongList {
  /** Values are counted, so all of them are looked at. */
  readonly maxDepth = Infinity;
  readonly #bytes: Buffer;
  readonly #options: LongListOptions;
  count: number | undefined;
  nextCursor: string | undefined;
  #name = '';
  #isInList = false;
  #start = 0;
  #values = 0;
  #wantsMore = true;

  constructor(bytes: Buffer, options: LongListOptions) {
    this.#bytes = bytes;
    this.#options = options;
  }

  onName(depth: number, start: number, end: number): void {
    if (depth === 1) this.#name = end - start > 128 ? '' : String(this.#parsed(start, end));
  }

  onBegin(depth: number, at: number, byte: number): void {
    this.#values += 1;
    if (depth === 1) this.#isInList = byte === LIST && this.#name === this.#options.name;
    if (depth === 1 && this.#isInList) this.count = 0;
    if (depth > 2) return;
    this.#start = at;
    this.#values = 1;
  }

  onEnd(depth: number, end: number): void {
    if (depth === 2 && this.#isInList) this.#endItem(end);
    if (depth !== 1) return;
    this.#isInList = false;
    if (this.#name === 'nextCursor') this.nextCursor = this.#cursor(end);
  }

  #endItem(end: number): void {
    this.count = (this.count ?? 0) + 1;
    if (!this.#wantsMore) return;
    const isTooLarge = end - this.#start > MAX_ITEM_BYTES || this.#values > MAX_ITEM_VALUES;
    this.#wantsMore = this.#options.onItem(isTooLarge ? undefined : this.#parsed(this.#start, end));
  }

  #cursor(end: number): string | undefined {
    if (end - this.#start > MAX_CURSOR_BYTES) return undefined;
    const value = this.#parsed(this.#start, end);
    return typeof value === 'string' ? value : undefined;
  }

  #parsed(start: number, end: number): unknown {
    return JSON.parse(this.#bytes.toString('utf8', start, end));
  }
}
