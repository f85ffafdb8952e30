import { PanelError } from '../../../../shared/error-codes.ts';
import { ByteParts, firstBytes, lastBytes, partsBetween } from '../../mcp/bytes.ts';
import { EDGE_BYTES } from '../../mcp/line-edges.ts';
import { MAX_PARSED_BYTES } from '../../mcp/long-message.ts';
import { aboutServer } from '../../phrases.ts';

export interface SkippedEvent {
  readonly head: Buffer;
  /** Last bytes of the event's data; undefined if the stream ended or failed before the end of the event. */
  readonly tail: Buffer | undefined;
  readonly bytes: number;
}

export interface EventStreamLimits {
  /** Maximum bytes of an event. A longer one is skipped up to its end. */
  readonly maxEventBytes: number;
  /** The stream fails after this many skipped bytes of one event. */
  readonly maxSkippedBytes: number;
}

interface EventStreamGuardOptions extends Partial<EventStreamLimits> {
  readonly onSkipped: (event: SkippedEvent) => void;
}

/** Data of a long message. The SDK, which reads the output of the guard, gets a placeholder instead. */
export interface LongData {
  readonly data: readonly Buffer[];
}

const MIB = 1024 * 1024;
const DEFAULTS: EventStreamLimits = { maxEventBytes: 16 * MIB, maxSkippedBytes: 64 * MIB };
const [LF, CR] = [10, 13];
const NEWLINE = Buffer.from('\n');
/** Event type that the SDK does not listen for. An event of this type replaces a skipped one and keeps its id. */
const UNHEARD_KIND = Buffer.from('event: too-long\n');
export const UNHEARD = Buffer.concat([UNHEARD_KIND, Buffer.from('data\n\n')]);
/** Maximum bytes and events of one part. One part is processed per event-loop tick. */
const PART_BYTES = 16 * 1024;
const PART_EVENTS = 64;
/** Maximum bytes of a line of a field other than data. A longer one is dropped or replaced. */
const MAX_LINE_BYTES = 4096;
/** Number of bytes of memory that a line is estimated to cost in the SDK in addition to its own length. */
const LINE_BYTES = 32;
const HEAD_BYTES = 1024;
/** Maximum bytes of a field name that are read; the longest name with a meaning is "event". */
const NAME_BYTES = 8;
/** Bounds of `retry` in ms. Without a pause the panel would reconnect endlessly, and a timer does not accept very long times. */
const [SHORTEST_RETRY_MS, LONGEST_RETRY_MS] = [500, 30_000];

/**
 * Forwards a stream of server-sent events in small parts, and bounds the data that the SDK after it must keep and parse. The
 * SDK gets whole lines, and a placeholder for the data of a long event. Line ends become newlines. `retry` is clamped, because
 * the SDK accepts any value.
 */
export class EventStreamGuard {
  readonly #limits: EventStreamLimits;
  readonly #onSkipped: EventStreamGuardOptions['onSkipped'];
  readonly #line = new ByteParts();
  /** Length of the current line in bytes, whether or not the line is being skipped. */
  #lineBytes = 0;
  readonly #data = new ByteParts();
  #hasData = false;
  /** True if the current event is of the kind that contains messages. */
  #isMessage = true;
  /** Memory cost in bytes of the current event's data lines in the SDK. */
  #eventBytes = 0;
  #skippedBytes = 0;
  #head: Buffer = Buffer.alloc(0);
  #tail: Buffer = Buffer.alloc(0);
  #isAfterCr = false;
  #longData: readonly Buffer[] | undefined;
  readonly #ready = new ByteParts();
  #readyEvents = 0;

  constructor({ onSkipped, ...limits }: EventStreamGuardOptions) {
    this.#onSkipped = onSkipped;
    this.#limits = { ...DEFAULTS, ...limits };
  }

  /** Yields the chunk's parts, to process one per tick. @throws PanelError PROTOCOL_ERROR if an event is too long even to skip */
  *parts(chunk: Buffer): Generator<Buffer | LongData, void> {
    let at = 0;
    let nextCr = -1;
    while (at < chunk.length) {
      if (nextCr < at) nextCr = indexOrEnd(chunk, CR, at);
      if (this.#skippedBytes > 0) at = this.#skipLines(chunk, at, nextCr);
      const end = indexOrEnd(chunk.subarray(0, nextCr), LF, at);
      if (end > at) this.#take(chunk.subarray(at, end));
      if (end < chunk.length) this.#endOfLine(chunk[end] === CR);
      at = end + 1;
      const isFull = this.#ready.length >= PART_BYTES || this.#readyEvents >= PART_EVENTS;
      if (isFull || this.#longData) yield* this.#takeReady();
      if (this.#longData) yield { data: this.#longData };
      this.#longData = undefined;
    }
    yield* this.#takeReady();
  }

  /** Ends the stream. An event that is being skipped is reported. */
  end(): void {
    if (this.#skippedBytes > 0) this.#tellSkipped(undefined);
  }

  #take(part: Buffer): void {
    this.#isAfterCr = false;
    this.#lineBytes += part.length;
    if (this.#skippedBytes > 0) return this.#skip(part);
    this.#line.append(part);
    if (this.#eventBytes + this.#lineBytes > this.#limits.maxEventBytes) this.#beginSkipping();
  }

  #endOfLine(isCr: boolean): void {
    const isSecondHalf = !isCr && this.#isAfterCr && this.#lineBytes === 0;
    this.#isAfterCr = isCr;
    if (isSecondHalf) return;
    if (this.#skippedBytes > 0) {
      if (this.#lineBytes === 0) this.#tellSkipped(this.#tail);
    } else if (this.#lineBytes === 0) this.#endEvent();
    else this.#takeLine(this.#line.parts);
    this.#line.clear();
    this.#lineBytes = 0;
  }

  #takeLine(line: readonly Buffer[]): void {
    const field = fieldOf(line);
    if (field === 'data') {
      if (this.#hasData) this.#data.append(NEWLINE);
      this.#hasData = true;
      for (const piece of valueOf(line)) this.#data.append(piece);
      this.#eventBytes += this.#lineBytes + LINE_BYTES;
      return;
    }
    const isShort = this.#lineBytes <= MAX_LINE_BYTES;
    if (field === 'event') {
      const kind = isShort ? Buffer.concat(valueOf(line)).toString('latin1') : 'too-long';
      this.#isMessage = kind === '' || kind === 'message';
      this.#pass(...(isShort ? [...line, NEWLINE] : [UNHEARD_KIND]));
    } else if (isShort) this.#pass(...(field === 'retry' ? clampedRetry(line) : line), NEWLINE);
  }

  #endEvent(): void {
    if (this.#data.length <= MAX_PARSED_BYTES) this.#pass(...this.#lines(), NEWLINE);
    else if (this.#isMessage) this.#longData = this.#data.parts;
    else this.#pass(UNHEARD);
    this.#readyEvents += 1;
    this.#beginEvent();
  }

  /** Returns the data of a short event as lines of an event stream. */
  #lines(): Buffer[] {
    if (!this.#hasData) return [];
    // Latin-1 maps each byte to one character and back, so no byte is changed.
    const text = Buffer.concat(this.#data.parts).toString('latin1').replaceAll('\n', '\ndata: ');
    return [Buffer.from(`data: ${text}\n`, 'latin1')];
  }

  #beginEvent(): void {
    this.#data.clear();
    this.#hasData = false;
    this.#isMessage = true;
    this.#eventBytes = 0;
  }

  #beginSkipping(): void {
    const { parts } = this.#line;
    const inLine = fieldOf(parts) === 'data' ? valueOf(parts) : [];
    this.#head = firstBytes(this.#data.length > 0 ? this.#data.parts : inLine, HEAD_BYTES);
    this.#tail = lastBytes(parts, EDGE_BYTES);
    this.#skippedBytes = this.#eventBytes + this.#lineBytes;
    this.#pass(UNHEARD);
    this.#line.clear();
    this.#beginEvent();
    this.#boundSkipped();
  }

  #skip(part: Buffer): void {
    this.#skippedBytes += part.length;
    this.#tail = lastBytes([this.#tail, part], EDGE_BYTES);
    this.#boundSkipped();
  }

  #boundSkipped(): void {
    const { maxEventBytes, maxSkippedBytes } = this.#limits;
    if (this.#skippedBytes <= maxEventBytes + maxSkippedBytes) return;
    const bytes = this.#skippedBytes;
    this.#tellSkipped(undefined);
    const phrase = `sent ${bytes} bytes of one event without its end; at most ${maxEventBytes} are read`;
    throw new PanelError('PROTOCOL_ERROR', aboutServer(phrase), {
      data: { noise: 'too-long', bytes },
      remedy: 'Look for a newer version of the server, or tell its authors.',
      short: { phrase },
    });
  }

  /** Skips several lines in one step, because a flood has millions. Returns the index of the next line to read. */
  #skipLines(chunk: Buffer, at: number, end: number): number {
    // This may be the empty line that ends the event; its two newlines may be in different chunks.
    if (this.#lineBytes === 0 && (chunk[at] === LF || this.#isAfterCr)) return at;
    const emptyLine = chunk.subarray(0, end).indexOf('\n\n', at);
    const lastEnd = emptyLine === -1 ? chunk.subarray(0, end).lastIndexOf(LF) : emptyLine;
    if (lastEnd < at) return at;
    this.#take(chunk.subarray(at, lastEnd));
    this.#lineBytes = 0;
    return lastEnd + 1;
  }

  #tellSkipped(tail: Buffer | undefined): void {
    const event = { head: this.#head, tail, bytes: this.#skippedBytes };
    this.#skippedBytes = 0;
    this.#onSkipped(event);
  }

  #pass(...pieces: readonly Buffer[]): void {
    for (const piece of pieces) this.#ready.append(piece);
  }

  *#takeReady(): Generator<Buffer, void> {
    if (this.#ready.length > 0) yield Buffer.concat(this.#ready.parts);
    this.#ready.clear();
    this.#readyEvents = 0;
  }
}

function indexOrEnd(chunk: Buffer, byte: number, from: number): number {
  const index = chunk.indexOf(byte, from);
  return index === -1 ? chunk.length : index;
}

/** Returns a line's field name (HTML standard, "event stream interpretation"); empty for a comment. */
function fieldOf(line: readonly Buffer[]): string {
  const name = firstBytes(line, NAME_BYTES).toString('latin1');
  const colon = name.indexOf(':');
  return colon === -1 ? name : name.slice(0, colon);
}

/** Returns the value of a line whose field name is short. */
function valueOf(line: readonly Buffer[]): Buffer[] {
  const start = firstBytes(line, NAME_BYTES).toString('latin1');
  const colon = start.indexOf(':');
  if (colon === -1) return [];
  return partsBetween(line, start[colon + 1] === ' ' ? colon + 2 : colon + 1, Infinity);
}

/** Returns a `retry` line with its value clamped to the bounds; unchanged if the value is not a number. */
function clampedRetry(line: readonly Buffer[]): readonly Buffer[] {
  const value = Buffer.concat(valueOf(line)).toString('latin1');
  if (!/^\d+$/.test(value)) return line;
  const ms = Math.min(Math.max(Number(value), SHORTEST_RETRY_MS), LONGEST_RETRY_MS);
  return [Buffer.from(`retry: ${ms}`)];
}
