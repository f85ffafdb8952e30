import { PanelError } from '../../../../shared/error-codes.ts';
import { aboutServer } from '../../phrases.ts';
import { EDGE_BYTES } from '../../mcp/line-edges.ts';
import { clampRetry, EventData, fieldOf, withoutField } from './event-lines.ts';

export interface SkippedEvent {
  /** The first bytes of its data. */
  readonly head: Buffer;
  /** The last bytes of it; absent when it was given up before its end. */
  readonly tail: Buffer | undefined;
  readonly bytes: number;
}

export interface EventStreamLimits {
  /** A longer event is skipped up to its end. */
  readonly maxEventBytes: number;
  /** When so much of an event was skipped, the stream is given up. */
  readonly maxSkippedBytes: number;
}

export interface EventStreamGuardOptions extends Partial<EventStreamLimits> {
  /** An event was skipped. */
  readonly onSkipped: (event: SkippedEvent) => void;
}

/** Data of a long message, which the reader behind the guard gets something else for. */
export interface LongData {
  readonly data: readonly Buffer[];
}

const MIB = 1024 * 1024;
const DEFAULTS: EventStreamLimits = { maxEventBytes: 16 * MIB, maxSkippedBytes: 64 * MIB };
const LF = 10;
const CR = 13;
const NEWLINE = Buffer.from('\n');
/** An event of a kind that nobody listens to: the id of the event that it stands for is kept. */
const UNHEARD_KIND = Buffer.from('event: too-long');
export const UNHEARD = Buffer.from('event: too-long\ndata\n\n');
/** One part is handled per turn of the event loop. */
const PART_BYTES = 16 * 1024;
const PART_EVENTS = 64;
/** The beginning of a line is held back until its kind is known. Only data is longer: of other lines the rest is left out. */
const HELD_BYTES = 4096;
/** Every line costs memory of its own further on, however short it is. */
const LINE_BYTES = 32;
const HEAD_BYTES = 1024;

/**
 * Passes a stream of server-sent events on, in small parts, and bounds what a reader behind it has to keep and to parse: it
 * gets whole lines, and of the data of a long event something that stands for it. Line ends become newlines; a time for
 * reconnecting is brought within bounds, since it is taken as it comes.
 */
export class EventStreamGuard {
  readonly #limits: EventStreamLimits;
  readonly #onSkipped: EventStreamGuardOptions['onSkipped'];
  /** The current line, while it may be short. */
  readonly #held = Buffer.allocUnsafe(HELD_BYTES);
  #heldBytes = 0;
  /** Of the current line once it is longer than what is held back. */
  #field: string | undefined;
  #lineBytes = 0;
  readonly #data = new EventData();
  #longData: readonly Buffer[] | undefined;
  /** The current event is of the kind that holds messages. */
  #isMessage = true;
  /** What the lines of this event cost whoever keeps them. */
  #eventBytes = 0;
  #skippedBytes = 0;
  #head: Buffer = Buffer.alloc(0);
  #tail: Buffer = Buffer.alloc(0);
  #isAfterCr = false;
  #ready: Buffer[] = [];
  #readyBytes = 0;
  #readyEvents = 0;

  constructor({ onSkipped, ...limits }: EventStreamGuardOptions) {
    this.#onSkipped = onSkipped;
    this.#limits = { ...DEFAULTS, ...limits };
  }

  /** What may be passed on, a part per turn. @throws PanelError PROTOCOL_ERROR when an event does not end */
  *parts(chunk: Buffer): Generator<Buffer | LongData, void> {
    let at = 0;
    let nextCr = -1;
    while (at < chunk.length) {
      if (nextCr < at) nextCr = indexOrEnd(chunk, CR, at);
      if (this.#skippedBytes > 0) at = this.#skipLines(chunk, at, nextCr);
      const end = Math.min(indexOrEnd(chunk.subarray(0, nextCr), LF, at), at + PART_BYTES);
      if (end > at) this.#take(chunk.subarray(at, end));
      at = end < chunk.length && this.#endsLine(chunk[end]!) ? end + 1 : end;
      if (this.#readyBytes > 0 && (this.#isPartFull || this.#longData)) yield this.#takeReady();
      if (this.#longData) yield { data: this.#longData };
      this.#longData = undefined;
    }
    if (this.#readyBytes > 0) yield this.#takeReady();
  }

  /** The stream has ended: an event that was being skipped is told. */
  end(): void {
    if (this.#skippedBytes > 0) this.#tellSkipped(undefined);
  }

  get #isPartFull(): boolean {
    return this.#readyBytes >= PART_BYTES || this.#readyEvents >= PART_EVENTS;
  }

  /** False when the byte ends no line: a line is cut into parts, too. */
  #endsLine(byte: number): boolean {
    if (byte !== LF && byte !== CR) return false;
    const isSecondHalf = byte === LF && this.#isAfterCr && this.#lineBytes === 0;
    this.#isAfterCr = byte === CR;
    if (!isSecondHalf) this.#endLine();
    return true;
  }

  #take(part: Buffer): void {
    this.#isAfterCr = false;
    this.#lineBytes += part.length;
    if (this.#skippedBytes > 0) return this.#skip(part);
    if (this.#eventBytes + this.#lineBytes > this.#limits.maxEventBytes) return this.#beginSkipping(part);
    if (this.#field === undefined && this.#heldBytes + part.length <= HELD_BYTES) {
      part.copy(this.#held, this.#heldBytes);
      this.#heldBytes += part.length;
      return;
    }
    this.#takeLong(part);
    this.#heldBytes = 0;
  }

  /** A part of a line that is longer than what is held back, whose kind shows in its first bytes. Only data is kept. */
  #takeLong(part: Buffer): void {
    if (this.#field !== undefined) return this.#field === 'data' ? this.#data.push(part) : undefined;
    const start = Buffer.concat([this.#held.subarray(0, this.#heldBytes), part]);
    this.#field = fieldOf(start);
    if (this.#field === 'data') this.#takeData(start);
    if (this.#field === 'event') this.#takeKind(UNHEARD_KIND);
  }

  #takeData(line: Buffer): void {
    this.#data.beginLine();
    this.#data.push(withoutField(line));
  }

  #takeKind(line: Buffer): void {
    const kind = withoutField(line).toString('latin1');
    this.#isMessage = kind === '' || kind === 'message';
    this.#pass(line, NEWLINE);
  }

  #endLine(): void {
    if (this.#skippedBytes > 0) {
      if (this.#lineBytes === 0) this.#tellSkipped(this.#tail);
    } else if (this.#lineBytes === 0) this.#endEvent();
    else if (this.#field === undefined) this.#takeLine(this.#takeHeld());
    if (this.#skippedBytes === 0 && this.#field === 'data') this.#eventBytes += this.#lineBytes + LINE_BYTES;
    this.#field = undefined;
    this.#heldBytes = this.#lineBytes = 0;
  }

  /** A line that is short enough to be known as a whole. */
  #takeLine(line: Buffer): void {
    this.#field = fieldOf(line);
    if (this.#field === 'data') this.#takeData(line);
    else if (this.#field === 'event') this.#takeKind(line);
    else this.#pass(this.#field === 'retry' ? clampRetry(line) : line, NEWLINE);
  }

  #endEvent(): void {
    if (!this.#data.isLong) this.#pass(this.#data.lines(), NEWLINE);
    else if (this.#isMessage) this.#longData = this.#data.parts;
    else this.#pass(UNHEARD);
    this.#readyEvents += 1;
    this.#beginEvent();
  }

  #beginEvent(): void {
    this.#data.clear();
    this.#isMessage = true;
    this.#eventBytes = 0;
  }

  #beginSkipping(part: Buffer): void {
    const held = this.#takeHeld();
    const line = Buffer.concat([held, part.subarray(0, EDGE_BYTES)]);
    const hasData = this.#data.head(1).length > 0;
    if (hasData) this.#head = this.#data.head(HEAD_BYTES);
    else this.#head = fieldOf(line) === 'data' ? withoutField(line) : Buffer.alloc(0);
    this.#pass(UNHEARD);
    this.#skippedBytes = this.#eventBytes + this.#lineBytes - part.length;
    this.#tail = lastBytes(held, Buffer.alloc(0));
    this.#heldBytes = 0;
    this.#beginEvent();
    this.#skip(part);
  }

  #skip(part: Buffer): void {
    this.#skippedBytes += part.length;
    this.#tail = lastBytes(this.#tail, part);
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

  /** Whole lines of what is skipped, found at once: a flood of them is millions. Where the next line to look at is. */
  #skipLines(chunk: Buffer, at: number, end: number): number {
    // An empty line may lie where two chunks meet.
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
    this.#head = this.#tail = Buffer.alloc(0);
    this.#onSkipped(event);
  }

  #takeHeld(): Buffer {
    return Buffer.from(this.#held.subarray(0, this.#heldBytes));
  }

  #pass(...pieces: readonly Buffer[]): void {
    for (const piece of pieces) {
      this.#ready.push(piece);
      this.#readyBytes += piece.length;
    }
  }

  #takeReady(): Buffer {
    const part = Buffer.concat(this.#ready);
    this.#ready = [];
    this.#readyBytes = this.#readyEvents = 0;
    return part;
  }
}

function indexOrEnd(chunk: Buffer, byte: number, from: number): number {
  const index = chunk.indexOf(byte, from);
  return index === -1 ? chunk.length : index;
}

/** Copied: a chunk must not live on for its end. */
function lastBytes(before: Buffer, part: Buffer): Buffer {
  return Buffer.concat([before.subarray(-EDGE_BYTES), part.subarray(-EDGE_BYTES)]).subarray(-EDGE_BYTES);
}
