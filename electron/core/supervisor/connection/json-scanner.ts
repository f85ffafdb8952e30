import {
  AFTER,
  BEGIN_NAME,
  BEGIN_SCALAR,
  BEGIN_TEXT,
  BROKEN,
  CLOSE_LIST,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  createJsonStates,
  END_TEXT,
  FIRST_ACTION,
  FIRST_ITEM,
  FIRST_NAME,
  NAME,
  OPEN_LIST,
  OPEN_OBJECT,
  TEXT,
  VALUE,
} from './json-states.ts';
import { plainTextEnd, wordsOf } from './plain-text.ts';

/** What a scanner finds. Positions count bytes from the beginning of the text, which has depth 0. */
export interface JsonSink {
  /** Values and names that lie deeper are not told. */
  readonly maxDepth: number;
  /** A name of an object whose fields lie at `depth`, its quotes included. */
  onName(depth: number, start: number, end: number): void;
  /** @param byte the first one of the value, which tells its type */
  onBegin(depth: number, at: number, byte: number): void;
  /** Space behind a number or a word may count as part of it. */
  onEnd(depth: number, at: number): void;
  /** A part was read; `at` may stand within a character or an escape. */
  onPart?(at: number): void;
}

const { steps, scalars } = createJsonStates();
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];
/** A text is looked through by words at each 32nd byte; at fewer, down to each 1024th, where that did not lead far. */
const [OFTEN_MASK, RARELY_MASK] = [31, 1023];
/** What is open at first: as many levels as most messages have. */
const FIRST_LEVELS = 64;
/** The step that opens each level is kept: it tells an object from a list. */
const isObject = (step: number | undefined) => step === OPEN_OBJECT;

/**
 * Reads a JSON text (RFC 8259) that comes in parts, without keeping or building any of it, and tells where its outer values
 * lie. Some nanoseconds per byte, whatever the text holds. Does not look whether texts are UTF-8.
 */
export class JsonScanner {
  readonly #sink: JsonSink;
  #levels = new Uint8Array(FIRST_LEVELS);
  #depth = 0;
  #state = VALUE;
  #at = 0;
  #nameAt = -1;
  #isInScalar = false;
  #valueCount = 0;

  constructor(sink: JsonSink) {
    this.#sink = sink;
  }

  /** Values at all depths that have begun; names do not count. */
  get valueCount(): number {
    return this.#valueCount;
  }
  push(part: Uint8Array): void {
    const base = this.#at;
    const words = wordsOf(part);
    // Counted as the memory does, whose words can be read at once.
    const offset = part.byteOffset;
    let index = base < BYTE_ORDER_MARK.length ? this.#skipMark(part) : 0;
    let mask = OFTEN_MASK;
    while (index < part.length) {
      // Tried now and then only, because it costs more than a look-up where a text is short or full of escapes.
      if (((offset + index) & mask) === 0 && this.#state === TEXT) {
        const end = plainTextEnd(words, offset, index);
        mask = end - index > OFTEN_MASK ? OFTEN_MASK : Math.min(RARELY_MASK, mask * 2 + 1);
        index = end;
      }
      const next = Math.min(part.length, ((offset + index) | mask) + 1 - offset);
      this.#scan(part, index, next);
      index = next;
    }
    this.#at = base + part.length;
    this.#sink.onPart?.(this.#at);
  }

  #scan(part: Uint8Array, start: number, end: number): void {
    let state = this.#state;
    for (let index = start; index < end; index += 1) {
      const byte = part[index] ?? 0;
      const step = steps[(state << 8) | byte] ?? BROKEN;
      state = step < FIRST_ACTION ? step : this.#act(step, byte, this.#at + index);
    }
    this.#state = state;
  }

  /** The text is over. Whether it was one JSON value. */
  end(): boolean {
    // A number ends where the text does: wherever a comma may follow, a value is over.
    const isValueOver = steps[(this.#state << 8) | ','.charCodeAt(0)] === COMMA;
    this.#endScalar(this.#at);
    return isValueOver && this.#depth === 0;
  }

  /** Returns how many bytes of `part` belong to a byte order mark at the beginning of the text. */
  #skipMark(part: Uint8Array): number {
    let index = 0;
    for (let at = this.#at; index < part.length && part[index] === BYTE_ORDER_MARK[at]; at += 1) index += 1;
    return index;
  }

  #act(step: number, byte: number, at: number): number {
    switch (step) {
      case BEGIN_NAME:
        this.#nameAt = at;
        return TEXT;
      case END_TEXT:
        return this.#endText(at + 1);
      case COMMA:
        this.#endScalar(at);
        if (this.#depth === 0) return BROKEN;
        return isObject(this.#levels[this.#depth - 1]) ? NAME : VALUE;
      case CLOSE_OBJECT:
      case CLOSE_LIST:
        return this.#close(step, at);
      case OPEN_OBJECT:
      case OPEN_LIST:
        this.#begin(at, byte);
        return this.#open(step);
      case BEGIN_TEXT:
        this.#begin(at, byte);
        return TEXT;
      case BEGIN_SCALAR:
        this.#begin(at, byte);
        this.#isInScalar = true;
        return scalars[byte] ?? BROKEN;
      default:
        return BROKEN;
    }
  }

  #begin(at: number, byte: number): void {
    this.#valueCount += 1;
    if (this.#depth <= this.#sink.maxDepth) this.#sink.onBegin(this.#depth, at, byte);
  }

  #endText(end: number): number {
    const start = this.#nameAt;
    if (start >= 0) {
      this.#nameAt = -1;
      if (this.#depth <= this.#sink.maxDepth) this.#sink.onName(this.#depth, start, end);
      return COLON;
    }
    if (this.#depth <= this.#sink.maxDepth) this.#sink.onEnd(this.#depth, end);
    return AFTER;
  }

  #endScalar(at: number): void {
    if (!this.#isInScalar) return;
    this.#isInScalar = false;
    if (this.#depth <= this.#sink.maxDepth) this.#sink.onEnd(this.#depth, at);
  }

  #open(step: number): number {
    if (this.#depth === this.#levels.length) {
      const more = new Uint8Array(this.#levels.length * 2);
      more.set(this.#levels);
      this.#levels = more;
    }
    this.#levels[this.#depth] = step;
    this.#depth += 1;
    return isObject(step) ? FIRST_NAME : FIRST_ITEM;
  }

  #close(step: number, at: number): number {
    this.#endScalar(at);
    if (this.#depth === 0 || isObject(this.#levels[this.#depth - 1]) !== (step === CLOSE_OBJECT))
      return BROKEN;
    this.#depth -= 1;
    if (this.#depth <= this.#sink.maxDepth) this.#sink.onEnd(this.#depth, at + 1);
    return AFTER;
  }
}
