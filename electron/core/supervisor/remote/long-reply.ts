import { nextTurn } from '../../next-turn.ts';
import { ByteSegments } from '../connection/byte-segments.ts';
import { EnvelopeScanner, type Scanned } from '../connection/envelope-scanner.ts';
import { excerptOf, type FrameNoise } from '../connection/frame-reader.ts';
import { JsonScanner, type JsonSink } from '../connection/json-scanner.ts';
import type { LongMessage, Span } from '../connection/long-message.ts';
import { answeredIdIn, answerIn, type UnreadableAnswer } from '../connection/unreadable-answer.ts';
import { MAX_BATCH } from './batch-size.ts';
import { slicesOf } from './slices.ts';

/** What is longer is not parsed, because that may take longer than a turn should; its envelope is read as it comes. */
export const SHORT_BYTES = 64 * 1024;
/** Nobody reads the params of requests and notifications that are longer. */
const MAX_PARAMS_BYTES = 1024 * 1024;
const EDGE_BYTES = 256;
const OPEN_LIST = 0x5b;
const BLANKS: ReadonlySet<number | undefined> = new Set([32, 9, 10, 13]);
const FAULTS = {
  'not-a-message': 'it is not a message',
  'not-json': 'it is not JSON',
  'bad-utf8': 'it is not UTF-8',
} as const;

export interface LongHooks {
  readonly onNoise: (noise: FrameNoise) => void;
  /** Keeps a long message; returns what the SDK is given in its place. */
  readonly standInFor: (message: LongMessage) => string;
}

/** Why long bytes are no message. */
export interface LongFault {
  readonly noise: FrameNoise;
  /** A clause. */
  readonly words: string;
  /** The request that they were meant to answer, where that is certain. */
  readonly answer: UnreadableAnswer | undefined;
}

/** What the SDK is given in place of the bytes that were scanned; their fault where they are no message. */
export function standInOf(scanner: EnvelopeScanner, { onNoise, standInFor }: LongHooks): string | LongFault {
  const scanned = scanner.end();
  if (scanned.is !== 'message') {
    const { bytes } = scanner;
    const words = FAULTS[scanned.is];
    return { noise: noiseOf(scanned.is, bytes), words, answer: answerMeant(scanned, bytes, words) };
  }
  const { message } = scanned;
  if (!('method' in message.outline) || scanner.byteLength <= MAX_PARAMS_BYTES) return standInFor(message);
  // A sign of life, and a request is owed an answer.
  onNoise(noiseOf('too-long', scanner.bytes));
  return JSON.stringify({ ...message.outline, params: undefined });
}

/** A body of JSON that is too long to be parsed: one message, or a batch of them. */
export class LongReply {
  readonly #batch: BatchScanner | undefined;
  readonly #message = new EnvelopeScanner();

  /** @param beginning all that has come of it */
  constructor(beginning: Buffer) {
    if (isList(beginning)) this.#batch = new BatchScanner();
    this.push(beginning);
  }

  get byteLength(): number {
    return (this.#batch ?? this.#message).byteLength;
  }
  get bytes(): Buffer {
    return (this.#batch ?? this.#message).bytes;
  }
  /** It holds more messages than a batch may. */
  get hasTooMany(): boolean {
    return this.#batch !== undefined && this.#batch.items.length > MAX_BATCH;
  }

  /** @param slice no more than a turn may take */
  push(slice: Buffer): void {
    (this.#batch ?? this.#message).push(slice);
  }

  /** The body is over. What the SDK is given in its place; the fault where it holds no message. */
  async standIn(hooks: LongHooks): Promise<string | LongFault> {
    if (!this.#batch) return standInOf(this.#message, hooks);
    const { bytes, items } = this.#batch;
    if (!this.#batch.end())
      return { noise: noiseOf('not-json', bytes), words: FAULTS['not-json'], answer: undefined };
    const standIns: string[] = [];
    for (const { start, end } of items) {
      const scanner = new EnvelopeScanner();
      for (const slice of slicesOf(bytes.subarray(start, end))) {
        scanner.push(slice);
        await nextTurn();
      }
      const standIn = standInOf(scanner, hooks);
      if (typeof standIn === 'string') standIns.push(standIn);
      else hooks.onNoise(standIn.noise);
    }
    return `[${standIns.join(',')}]`;
  }
}

/** Finds where the items of a list lie. */
class BatchScanner implements JsonSink {
  readonly maxDepth = 1;
  readonly items: Span[] = [];
  readonly #scanner = new JsonScanner(this);
  readonly #kept = new ByteSegments();
  #start = 0;

  get byteLength(): number {
    return this.#kept.length;
  }
  get bytes(): Buffer {
    return this.#kept.bytes;
  }

  push(slice: Buffer): void {
    this.#kept.append(slice);
    this.#scanner.push(slice);
  }
  end(): boolean {
    return this.#scanner.end();
  }

  onName(): void {
    // A list has none.
  }
  onBegin(depth: number, start: number): void {
    if (depth === 1) this.#start = start;
  }
  onEnd(depth: number, end: number): void {
    if (depth === 1 && this.items.length <= MAX_BATCH) this.items.push({ start: this.#start, end });
  }
}

function isList(beginning: Buffer): boolean {
  return beginning.find((byte) => !BLANKS.has(byte)) === OPEN_LIST;
}

function noiseOf(noise: FrameNoise['noise'], bytes: Buffer): FrameNoise {
  return { noise, excerpt: excerptOf(bytes), bytes: bytes.length };
}

function answerMeant(
  scanned: Exclude<Scanned, { is: 'message' }>,
  bytes: Buffer,
  fault: string,
): UnreadableAnswer | undefined {
  if (scanned.is === 'not-a-message') return answerIn(scanned.outline);
  const tail = scanned.is === 'bad-utf8' ? bytes.subarray(-EDGE_BYTES) : undefined;
  const id = answeredIdIn(bytes.subarray(0, EDGE_BYTES), tail);
  return id === undefined ? undefined : { id, fault };
}
